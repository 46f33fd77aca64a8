import { replyToConfirmation } from '../../../workflows/contract/commands';
import { ApiWorld, problemShape } from '../api-world';
import * as responses from '../../../api/confirmations/responses';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open({ BRAND: 'Loja <b>' });
});
afterAll(() => world.close());

/** Replies to the newest confirmation. `id`: the id of the transaction. */
const reply = (id: string, option: number) => {
  const confirmationId = world.transactions.confirmationIds.at(-1) ?? '';
  const input = { confirmationId, reply: { option } };
  return world.transactions.send({ tenant: 'local', id }, replyToConfirmation, { input, identity: [] });
};

describe('the purpose of a question', () => {
  test.each([
    ['sms/2fa', 'payment', 'recebemos agora um pagamento com este celular'],
    ['sms/2fa', undefined, 'recebemos agora um cadastro com este celular'],
    ['emails/2fa', 'change-of-data', 'Você está mudando os seus dados agora?'],
    ['whatsapps/2fa', 'sign-in', 'Você está entrando na sua conta agora?'],
  ])('%s with the purpose %s says so', async (endpoint, purpose, text) => {
    const { path, id } = await world.createTransaction();
    expect((await world.post(`${path}/${endpoint}`, { body: purpose ? { purpose } : {} })).status).toBe(201);
    const confirmation = world.transactions.states.get(`local/${id}`)?.confirmations.at(-1);
    expect(confirmation?.settings.message['pt-BR'].body).toContain(text);
  });

  test('an unknown purpose is rejected, and nothing is sent', async () => {
    const { path } = await world.createTransaction();
    expect((await world.post(`${path}/sms/2fa`, { body: { purpose: 'marriage' } })).body).toMatchObject({
      ...problemShape('validation_failed', 400),
      errors: { purpose: [expect.stringContaining('sign-up')] },
    });
    expect((await world.request(`${path}/sms/2fa`)).body).toEqual([]);
  });
});

describe('sms/2fa', () => {
  test('GET sms/2fa returns an empty list if no second factor was requested', async () => {
    const { path } = await world.createTransaction();
    expect(await world.request(`${path}/sms/2fa`)).toMatchObject({ status: 200, body: [] });
  });

  test('GET sms/2fa returns a log of statuses, newest first, with the fields of SPEC', async () => {
    const { path, id } = await world.createTransaction();
    const response = await world.post(`${path}/sms/2fa`);
    expect(response.status).toBe(201);
    expect(responses.smsMessage.parse(response.body)).toMatchObject({ status: 'Waiting', smsSendLimit: 1 });
    for (const status of ['sent', 'delivered'] as const)
      world.transactions.applyDeliveryReport({ tenant: 'local', id }, status);
    await reply(id, 1);
    const { body } = await world.request(`${path}/sms/2fa`);
    const list = responses.smsMessage.array().parse(body);
    expect(list.map(({ status }) => status)).toEqual(['Replied', 'Delivered', 'Sent', 'Waiting']);
    expect(list[0]?.text).toBe('SIM');
    expect(list[3]?.text).toContain('Loja <b>');
    expect(new Set(list.map(({ expirationTime }) => expirationTime)).size).toBe(1);
    expect(Object.keys((body as object[])[0] ?? {})).toEqual([
      'text',
      'type',
      'status',
      'createdAt',
      'smsSendLimit',
      'expirationTime',
    ]);
  });
});

describe('emails/2fa', () => {
  test('POST emails/2fa returns the status Sent at once, with the fields of SPEC', async () => {
    const { path } = await world.createTransaction();
    const response = await world.post(`${path}/emails/2fa`);
    expect(response.status).toBe(201);
    expect(responses.emailMessage.parse(response.body)).toMatchObject({ status: 'Sent' });
    expect(Object.keys(response.body as object)).toEqual(['text', 'type', 'status', 'createdAt', 'expirationTime']);
    const { body } = await world.request(`${path}/emails/2fa`);
    expect(responses.emailMessage.array().parse(body)).toHaveLength(1);
  });

  test('with the setting REQUIRE_VERIFIED_EMAIL, POST emails/2fa returns 422 for an address that is not verified', async () => {
    const strictWorld = await ApiWorld.open({ REQUIRE_VERIFIED_EMAIL: 'true' });
    const { path } = await strictWorld.createTransaction();
    expect((await strictWorld.post(`${path}/emails/2fa`)).body).toEqual(problemShape('email_not_verified', 422));
    await strictWorld.close();
  });
});

describe('whatsapps/2fa', () => {
  test('GET whatsapps/2fa returns 204 without a body if no second factor was requested', async () => {
    const { path } = await world.createTransaction();
    const response = await world.request(`${path}/whatsapps/2fa`);
    expect(response).toMatchObject({ status: 204, body: '' });
    expect(response.headers.get('content-type')).toBeNull();
  });

  test('GET whatsapps/2fa returns a log of statuses with the fields of SPEC', async () => {
    const { path, id } = await world.createTransaction();
    const response = await world.post(`${path}/whatsapps/2fa`);
    expect(response.status).toBe(201);
    responses.whatsappMessage.parse(response.body);
    for (const status of ['sent', 'read'] as const)
      world.transactions.applyDeliveryReport({ tenant: 'local', id }, status);
    await reply(id, 2);
    const { body } = await world.request(`${path}/whatsapps/2fa`);
    const list = responses.whatsappMessage.array().parse(body);
    // In SPEC, `sendLimit` of a response is the number of messages that can still be sent. After a reply, it is 0.
    expect(list.map(({ status, sendLimit }) => [status, sendLimit])).toEqual([
      ['Replied', 0],
      ['Read', 2],
      ['Sent', 2],
      ['Waiting', 2],
    ]);
    expect(list[0]?.reply).toMatchObject({ option: 2, repliedAt: expect.stringMatching(/Z$/) });
    expect(list[3]?.text).toContain('\n');
    expect(Object.keys((body as object[])[0] ?? {})).toEqual([
      'status',
      'createdAt',
      'reply',
      'sendLimit',
      'expirationTime',
      'text',
    ]);
  });
});
