import type { GetTestStack } from '../support/test-stack';
import type { ApiResponse } from '../support/api-response';
import { expectStatusLog } from '../support/expect-status-log';
import { newPerson } from '../support/new-person';
import { expectShape, type Shape } from '../support/body-shape';
import * as shapes from '../support/shapes';
import { waitUntil } from '../../support/wait-until';

const jsonType = 'application/json; charset=utf-8';

/** Every field of SPEC, in a different order. */
const completeBody = (person: ReturnType<typeof newPerson>) => ({
  secondaryDocument: '11222333000181',
  secondaryDocumentType: 'CNPJ',
  card: { ownerName: 'Joana Prado', ownerDocument: '52998224725', last4: '0042', bin: '040000' },
  criterion: 0,
  genericFields: { locale: 'pt-BR', zeta: 'z', alpha: '' },
  type: 3,
  identifierDate: '2026-01-31T12:00:00Z',
  ...person.body,
  phone: { verified: false, ...person.body.phone },
  address: {
    country: 'Brasil',
    state: 'SP',
    city: 'São Paulo',
    district: 'Bela Vista',
    complement: 'ap. 12',
    number: '1000 A',
    street: 'Avenida Paulista',
    zipCode: '01310100',
  },
  channelId: 'app',
  identifierId: 'device-1',
  sessionId: 'session-1',
  verifiedEmail: true,
  mothersName: 'Rita Prado',
  birthdate: '1990-05-17',
});

function expectBody(response: ApiResponse, status: number, shape: Shape): void {
  expect([response.status, response.headers.get('content-type')]).toEqual([status, jsonType]);
  expectShape(response.body, shape);
}

/** Returns the entries. Fails if the list is empty, or if an entry does not have this shape. */
function expectEntries(response: ApiResponse, shape: Shape): Record<string, unknown>[] {
  expect([response.status, response.headers.get('content-type')]).toEqual([200, jsonType]);
  const entries = response.body as Record<string, unknown>[];
  expect(entries.length).toBeGreaterThan(0);
  for (const entry of entries) expectShape(entry, shape);
  return entries;
}

/** In titles, a whole number such as 2 is an endpoint of SPEC, and 2.1 is a section. */
export function describeShapes(getTestStack: GetTestStack): void {
  describe('responses match SPEC', () => {
    const person = newPerson();
    let path = '';
    const get = (suffix: string) => getTestStack().api.get(`${path}${suffix}`);
    const waitForStatus = (suffix: string, status: string) =>
      waitUntil(async () => ((await get(suffix)).body as { status: string }[])[0]?.status === status);
    const post = (suffix: string, body?: unknown) => getTestStack().api.post(`${path}${suffix}`, { body });

    it('a request that creates a transaction with the fewest fields returns exactly eight fields (2.1, rule 1)', async () => {
      const body = { documentType: 'cpf', document: '529.982.247-25', genericFields: { key: 'value' } };
      const response = await getTestStack().api.post('/v1/transaction', { body });
      expect([response.status, response.headers.get('content-type')]).toEqual([201, jsonType]);
      expect(response.headers.get('location')).toMatch(/^\/v1\/transaction\/[0-9a-f-]{36}$/);
      const { id, createdAt, ...rest } = response.body as Record<string, string>;
      expect(Object.keys(response.body as object)).toEqual(
        'id createdAt documentType document verifiedEmail referenceDate type genericFields'.split(' '),
      );
      expect(rest).toEqual({
        documentType: 'cpf',
        document: '52998224725',
        verifiedEmail: false,
        referenceDate: createdAt,
        type: 1,
        genericFields: { key: 'value' },
      });
      expect((await getTestStack().api.get(`/v1/transaction/${id}`)).body).toEqual(response.body);
      const allBody = await getTestStack().api.getAll(`/v1/transaction/${id}`);
      expect(allBody).toMatchObject({ ratings: [] });
    });

    it('null in the request is null in the response', async () => {
      const body = { documentType: 'CPF', document: '52998224725', genericFields: null, channelId: null };
      const response = await getTestStack().api.post('/v1/transaction', { body });
      expect(response.body).toMatchObject({ genericFields: null, channelId: null });
    });

    it('a request that creates a transaction with every field returns every field (1), and so does a read (2)', async () => {
      const body = completeBody(person);
      const response = await getTestStack().api.post('/v1/transaction', { body });
      expectBody(response, 201, shapes.transaction);
      const { id, createdAt, referenceDate, ...echoed } = response.body as Record<string, unknown>;
      expect(echoed).toEqual(body);
      expect(Object.keys(echoed)).toHaveLength(Object.keys(body).length);
      path = `/v1/transaction/${String(id)}`;
      expect(createdAt).toBe(referenceDate);
      const readResponse = await get('');
      expectBody(readResponse, 200, shapes.transaction);
      expect(readResponse.text).toBe(response.text);
    });

    it('before a second factor is sent, a read returns 204 for WhatsApp (14), and an empty list for SMS and e-mail (9, 13)', async () => {
      const whatsappResponse = await get('/whatsapps/2fa');
      expect([whatsappResponse.status, whatsappResponse.text, whatsappResponse.headers.get('content-type')]).toEqual([
        204,
        '',
        null,
      ]);
      for (const list of ['/sms/2fa', '/emails/2fa']) {
        const response = await get(list);
        expect([response.status, response.text, response.headers.get('content-type')]).toEqual([200, '[]', jsonType]);
      }
      expect((await get('/emails/tokens')).status).toBe(404);
    });

    it('tokens have the fields of SPEC (7, 8, 10, 11)', async () => {
      const { inbox } = getTestStack();
      expectBody(await post('/sms/tokens'), 201, shapes.smsToken);
      expectBody(await post('/sms/tokens/validate', { value: '0000000' }), 200, shapes.smsToken);
      const value = await inbox.waitForCode(person.phone, 'sms');
      expectBody(await post('/sms/tokens/validate', { value }), 200, shapes.smsToken);
      expectBody(await post('/emails/tokens', {}), 201, shapes.emailToken);
      expectBody(await get('/emails/tokens'), 200, shapes.emailTokenRead);
      expect((await get('/emails/tokens')).body).not.toHaveProperty('repliedAt');
      expectBody(await post('/emails/tokens/validate', { value: '0000000' }), 200, shapes.emailToken);
      const mailCode = await inbox.waitForCode(person.email, 'email');
      expectBody(await post('/emails/tokens/validate', { value: mailCode }), 200, shapes.emailToken);
      expectBody(await get('/emails/tokens'), 200, shapes.emailTokenRead);
      expect((await get('/emails/tokens')).body).toHaveProperty('repliedAt');
    });

    it('second factors by SMS and e-mail have the fields of SPEC, newest first (9, 12, 13)', async () => {
      const { inbox } = getTestStack();
      expectBody(await post('/sms/2fa'), 201, shapes.smsMessage);
      await waitForStatus('/sms/2fa', 'Delivered');
      const [question] = await inbox.readMessages(person.phone, 'sms');
      await inbox.reply(question?.id ?? '', { text: '1' });
      await waitForStatus('/sms/2fa', 'Replied');
      const entries = expectEntries(await get('/sms/2fa'), shapes.smsMessage);
      expectStatusLog(entries, ['Replied', 'Delivered', 'Sent', 'Waiting']);
      for (const { status, smsSendLimit, text } of entries) {
        expect(smsSendLimit).toBe(1);
        expect(text).toBe(status === 'Replied' ? '1' : question?.text);
      }
      expect(new Set(entries.map(({ expirationTime }) => expirationTime)).size).toBe(1);
      const times = entries.map(({ createdAt }) => String(createdAt));
      expect(times).toEqual(times.toSorted().toReversed());

      expectBody(await post('/emails/2fa'), 201, shapes.emailMessage);
      expectEntries(await get('/emails/2fa'), shapes.emailMessage);
    });

    it('second factors by WhatsApp have the fields of SPEC, and their createdAt has no time zone (14)', async () => {
      const { inbox } = getTestStack();
      expectBody(await post('/whatsapps/2fa'), 201, shapes.whatsappMessage);
      const question = await inbox.waitForNewest(person.phone, 'whatsapp');
      await inbox.markAsRead(question.id);
      await waitForStatus('/whatsapps/2fa', 'Read');
      await inbox.reply(question.id, { button: 2 });
      await waitForStatus('/whatsapps/2fa', 'Replied');
      const entries = expectEntries(await get('/whatsapps/2fa'), shapes.whatsappMessage);
      expectStatusLog(entries, ['Replied', 'Read', 'Sent', 'Waiting']);
      for (const { status, sendLimit, reply } of entries)
        expect([status, sendLimit, reply !== undefined]).toEqual(
          status === 'Replied' ? [status, 0, true] : [status, 2, false],
        );
      expect(entries[0]).toMatchObject({ text: 'NÃO', reply: { option: 2 } });
    });

    it('the transaction with all its parts has the fields of SPEC (3)', async () => {
      const response = await get('/all');
      expect([response.status, response.headers.get('content-type')]).toEqual([200, jsonType]);
      const all = response.body as Record<string, unknown>;
      expect(Object.keys(all)).toEqual(['transaction', 'scores', 'ratings', 'insights', 'smsToken']);
      expectShape(all['transaction'], shapes.transactionInAll);
      expectShape(all['smsToken'], shapes.smsTokenInAll);
      for (const [list, shape] of [
        ['scores', shapes.score],
        ['ratings', shapes.rating],
        ['insights', shapes.insight],
      ] as const) {
        const entries = all[list] as unknown[];
        expect(entries.length).toBeGreaterThan(0);
        for (const entry of entries) expectShape(entry, shape);
      }
      for (const { relatedTo } of all['ratings'] as { relatedTo: string[] }[]) expect(relatedTo).toHaveLength(2);
    });
  });
}
