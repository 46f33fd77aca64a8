import { Problem } from '../../../api/http/problem';
import type { DomainError } from '../../../domain/domain-error';
import { deriveCode } from '../../../messages/codes';
import { ApiWorld, person, problemShape } from '../api-world';
import { tokenResponses } from '../../../api/confirmations/send-confirmation';
import { validationOf } from '../../../api/confirmations/validate-token';
import { emailTokenDetails } from '../../../api/confirmations/read-messages';

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open();
});
beforeEach(() => {
  world.transactions.clockOffsetMs = 0;
});
afterAll(() => world.close());

const kinds = {
  sms: {
    path: 'sms/tokens',
    responseSchema: tokenResponses.sms,
    validationSchema: validationOf('sms'),
    fieldNames: ['status', 'createdAt', 'type'],
  },
  email: {
    path: 'emails/tokens',
    responseSchema: tokenResponses.email,
    validationSchema: validationOf('email'),
    fieldNames: ['status', 'type', 'createdAt', 'expirationTime'],
  },
  voice: {
    path: 'voice/tokens',
    responseSchema: tokenResponses.voice,
    validationSchema: validationOf('voice'),
    fieldNames: ['status', 'type', 'createdAt', 'expirationTime'],
  },
  whatsapp: {
    path: 'whatsapps/tokens',
    responseSchema: tokenResponses.whatsapp,
    validationSchema: validationOf('whatsapp'),
    fieldNames: ['status', 'type', 'createdAt', 'expirationTime'],
  },
};

/** The code of the newest token. `id`: the id of the transaction. */
const codeOf = (id: string) =>
  deriveCode(world.dependencies.keys, id, world.transactions.confirmationIds.at(-1) ?? '', 6);
const wrongCodeFor = (code: string) => (code === '000000' ? '000001' : '000000');

describe.each(Object.values(kinds))('$path', ({ path, responseSchema, validationSchema, fieldNames }) => {
  const requestToken = async () => {
    const transaction = await world.createTransaction();
    const response = await world.post(`${transaction.path}/${path}`);
    return { ...transaction, response, code: codeOf(transaction.id) };
  };
  const validate = (transactionPath: string, value: unknown) =>
    world.post(`${transactionPath}/${path}/validate`, { body: { value } });

  test('a request for a token returns 201 and a token with the status Waiting', async () => {
    const { response } = await requestToken();
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(responseSchema.parse(response.body)).toMatchObject({ status: 'Waiting' });
    expect(Object.keys(response.body as object)).toEqual(fieldNames);
  });

  test('the right code gets the status Valid, and each later code gets Used', async () => {
    const { path: transactionPath, code } = await requestToken();
    const response = await validate(transactionPath, ` ${code.slice(0, 3)}-${code.slice(3)} `);
    expect(response.status).toBe(200);
    expect(validationSchema.parse(response.body)).toMatchObject({ status: 'Valid' });
    expect(Object.keys(response.body as object)).toEqual(fieldNames);
    expect((await validate(transactionPath, code)).body).toMatchObject({ status: 'Used' });
    expect((await validate(transactionPath, wrongCodeFor(code))).body).toMatchObject({ status: 'Used' });
  });

  test('the right code is Valid with all characters that a paste can add and that nobody sees', async () => {
    const { path: transactionPath, code } = await requestToken();
    const pasted = `\u200e\u202a${code.slice(0, 2)}\u2011${code.slice(2, 4)}\u00ad\u200b${code.slice(4)}\u202c\u00a0\ufeff\n`;
    expect((await validate(transactionPath, pasted)).body).toMatchObject({ status: 'Valid' });
  });

  test('a wrong code gets Invalid and the number of remaining attempts, and the last wrong code blocks the token', async () => {
    const { path: transactionPath, code } = await requestToken();
    const remaining = [];
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      const response = await validate(transactionPath, wrongCodeFor(code));
      expect(validationSchema.parse(response.body)).toMatchObject({ status: 'Invalid' });
      remaining.push(response.headers.get('x-attempts-remaining'));
    }
    expect(remaining).toEqual(['4', '3', '2', '1']);
    expect((await validate(transactionPath, wrongCodeFor(code))).body).toMatchObject({ status: 'Blocked' });
    expect((await validate(transactionPath, code)).body).toMatchObject({ status: 'Blocked' });
  });

  test('after the token has expired, the right code gets the status Expired', async () => {
    const { path: transactionPath, code } = await requestToken();
    world.transactions.clockOffsetMs = 31 * 60_000;
    expect((await validate(transactionPath, code)).body).toMatchObject({ status: 'Expired' });
  });

  test('a validation returns 404 if no token was requested', async () => {
    const { path: transactionPath } = await world.createTransaction();
    expect((await validate(transactionPath, '123456')).body).toEqual(problemShape('token_not_found', 404));
  });

  test.each([[''], [123456], [null], ['1'.repeat(65)], [['123456']], ['12345'], ['12345678901'], ['12345O'], ['code']])(
    'a validation of the value %j returns 400, and uses no attempt',
    async (value) => {
      const { path: transactionPath, code } = await requestToken();
      const response = await validate(transactionPath, value);
      expect(response.body).toMatchObject({
        ...problemShape('validation_failed', 400),
        errors: { value: [expect.any(String)] },
      });
      expect((await validate(transactionPath, wrongCodeFor(code))).headers.get('x-attempts-remaining')).toBe('4');
    },
  );

  test('a value with another number of digits than the code is `Invalid`, and uses no attempt', async () => {
    const { path: transactionPath, code } = await requestToken();
    for (const value of ['1234567', '1234567890', `${code}0`]) {
      const response = await validate(transactionPath, value);
      expect(response).toMatchObject({ status: 200, body: { status: 'Invalid' } });
      expect(response.headers.get('x-attempts-remaining')).toBe('5');
    }
    expect((await validate(transactionPath, code)).body).toMatchObject({ status: 'Valid' });
  });

  test('a validation without a value, or with an unknown field, returns 400', async () => {
    const { path: transactionPath } = await requestToken();
    expect((await world.post(`${transactionPath}/${path}/validate`)).body).toMatchObject({
      code: 'validation_failed',
      errors: { value: [expect.any(String)] },
    });
    const extra = await world.post(`${transactionPath}/${path}/validate`, { body: { value: '123456', code: '1' } });
    expect(extra.body).toMatchObject({ code: 'unknown_field', errors: { code: [expect.any(String)] } });
  });

  test('a request for a token is accepted only if its body is empty or {}', async () => {
    const { path: transactionPath } = await world.createTransaction();
    expect((await world.post(`${transactionPath}/${path}`, { body: { to: '+5511987654321' } })).body).toMatchObject({
      code: 'unknown_field',
      errors: { to: [expect.any(String)] },
    });
    expect(
      (await world.post(`${transactionPath}/${path}`, { rawBody: 'x', headers: { 'content-type': 'text/plain' } }))
        .status,
    ).toBe(415);
    expect((await world.post(`${transactionPath}/${path}`, { body: {} })).status).toBe(201);
  });

  test('a second request for a token that comes too soon returns 429 with the seconds to wait', async () => {
    const { path: transactionPath } = await requestToken();
    const response = await world.post(`${transactionPath}/${path}`);
    expect(response.body).toEqual(problemShape('resend_too_soon', 429));
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(String((response.body as { retryAfterSeconds: number }).retryAfterSeconds)).toBe(
      response.headers.get('retry-after'),
    );
  });

  test('a request for a token and a validation return 503 with Retry-After if no worker answers', async () => {
    const { path: transactionPath } = await requestToken();
    world.transactions.nextErrors.push(new Problem('service_unavailable'), new Problem('service_unavailable'));
    for (const response of [
      await world.post(`${transactionPath}/${path}`),
      await validate(transactionPath, '123456'),
    ]) {
      expect(response.body).toEqual(problemShape('service_unavailable', 503));
      expect(response.headers.get('retry-after')).toBe('2');
    }
  });
});

describe('a rejected request for a token', () => {
  const domainErrors: [DomainError['type'], string, number][] = [
    ['ResendTooSoon', 'resend_too_soon', 429],
    ['SendLimitReached', 'send_limit_reached', 429],
    ['TransactionSendLimitReached', 'transaction_send_limit_reached', 429],
    ['DestinationDailyLimitReached', 'phone_daily_limit', 429],
    ['AttemptLimitReached', 'attempt_limit_reached', 429],
    ['DestinationRefused', 'destination_refused', 422],
    ['DestinationOptedOut', 'destination_opted_out', 422],
    ['DestinationDenied', 'destination_denied', 422],
    ['PersonDenied', 'person_denied', 422],
    ['ProviderRefused', 'provider_refused', 422],
    ['TransactionDenied', 'transaction_denied', 409],
    ['IdempotencyConflict', 'idempotency_conflict', 409],
  ];
  test.each(domainErrors)(
    'a request for a token that is rejected with the domain error %s returns the problem %s (%i)',
    async (type, code, status) => {
      const { path } = await world.createTransaction();
      world.transactions.nextErrors.push(type);
      const response = await world.post(`${path}/sms/tokens`);
      expect(response.body).toEqual(problemShape(code, status));
      // Waiting does not help against the limits of a transaction.
      const waitingHelps = status === 429 && type !== 'TransactionSendLimitReached' && type !== 'AttemptLimitReached';
      expect(response.headers.has('retry-after')).toBe(waitingHelps);
    },
  );

  test.each([
    ['a missing phone', { phone: undefined }, 'sms/tokens', 'phone_missing'],
    ['a missing e-mail address', { email: undefined }, 'emails/tokens', 'email_missing'],
    [
      'a landline',
      { phone: { countryCode: 55, areaCode: 11, number: 32345678 } },
      'sms/tokens',
      'destination_not_mobile',
    ],
    [
      'a country that is not allowed',
      { phone: { countryCode: 351, number: 912345678 } },
      'sms/tokens',
      'country_not_allowed',
    ],
  ])('a request for a token returns 422 for %s', async (_, change, endpoint, code) => {
    const { path } = await world.createTransaction({ ...person, ...change });
    expect((await world.post(`${path}/${endpoint}`)).body).toEqual(problemShape(code, 422));
  });

  test('the daily limit of a mailbox has its own problem code', async () => {
    const { path } = await world.createTransaction();
    world.transactions.nextErrors.push('DestinationDailyLimitReached');
    expect((await world.post(`${path}/emails/tokens`)).body).toEqual(problemShape('email_daily_limit', 429));
  });
});

describe('GET emails/tokens', () => {
  test('GET emails/tokens returns 404 before a request for a token', async () => {
    const { path } = await world.createTransaction();
    expect((await world.request(`${path}/emails/tokens`)).body).toEqual(problemShape('token_not_found', 404));
  });

  test('GET emails/tokens returns the token, and also repliedAt after the token has become Valid', async () => {
    const { path, id } = await world.createTransaction();
    await world.post(`${path}/emails/tokens`);
    const waiting = await world.request(`${path}/emails/tokens`);
    expect(Object.keys(waiting.body as object)).toEqual(['status', 'type', 'createdAt', 'expirationTime']);
    await world.post(`${path}/emails/tokens/validate`, { body: { value: codeOf(id) } });
    const valid = await world.request(`${path}/emails/tokens`);
    expect(emailTokenDetails.parse(valid.body)).toMatchObject({ status: 'Valid' });
    expect(Object.keys(valid.body as object)).toEqual(['status', 'type', 'createdAt', 'repliedAt', 'expirationTime']);
    expect((await world.request(path)).body).toMatchObject({ verifiedEmail: true });
  });
});
