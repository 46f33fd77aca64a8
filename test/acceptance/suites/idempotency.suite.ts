import { randomUUID } from 'node:crypto';
import type { GetTestStack } from '../support/test-stack';
import { expectProblem } from '../support/expect-problem';
import { newPerson, differentCode } from '../support/new-person';

const sends = ['sms/tokens', 'sms/2fa', 'whatsapps/2fa', 'emails/tokens', 'emails/2fa'];

/** `Idempotency-Key` on every POST: a repeat is safe, and a different request is rejected. */
export function describeIdempotency(getTestStack: GetTestStack): void {
  describe('an Idempotency-Key', () => {
    const createTransaction = async () => {
      const person = newPerson();
      return { ...person, path: await getTestStack().api.createTransaction(person.body) };
    };

    it('creates one transaction for any number of requests at the same time', async () => {
      const { api } = getTestStack();
      const [key, { body }] = [randomUUID(), newPerson()];
      const responses = await Promise.all(Array.from({ length: 5 }, () => api.post('/v1/transaction', { body, key })));
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
      const { address, documentType, ...rest } = body;
      // The order of fields does not change the request.
      const shuffled = await api.post('/v1/transaction', { body: { ...rest, documentType, address }, key });
      expect(shuffled.text).toBe(responses[0]?.text);
      expect(shuffled.headers.get('idempotency-replayed')).toBe('true');
      const other = await api.post('/v1/transaction', { body: { ...body, name: 'Somebody Else' }, key });
      expectProblem(other, 409, 'idempotency_conflict', [], ['transactionId']);
    });

    it('starts the run of one flow, and no other', async () => {
      const { api, inbox } = getTestStack();
      const { body, phone } = newPerson();
      const createTransaction = (key: string, flow = '') => api.post(`/v1/transaction${flow}`, { body, key });
      const [key, without] = [randomUUID(), randomUUID()];
      const [first, repeat] = [
        await createTransaction(key, '?flow=sms-token'),
        await createTransaction(key, '?flow=sms-token'),
      ];
      expect([first, repeat].map(({ status, text }) => [status, text])).toEqual([
        [201, first.text],
        [201, first.text],
      ]);
      expect(repeat.headers.get('x-countersign-run')).toBe(first.headers.get('x-countersign-run'));
      expect((await createTransaction(without)).status).toBe(201);
      for (const other of [
        await createTransaction(key, '?flow=sms-2fa'),
        await createTransaction(key),
        await createTransaction(without, '?flow=sms-token'),
      ])
        expectProblem(other, 409, 'idempotency_conflict', [], ['transactionId']);
      const { id } = first.body as { id: string };
      expect((await api.get(`/v1/transaction/${id}/flows`)).body).toHaveLength(1);
      expect(await inbox.messages(phone)).toHaveLength(1);
    });

    it.each(sends)('sends one message for POST %s', async (tail) => {
      const { api, inbox } = getTestStack();
      const { path, phone, email } = await createTransaction();
      const key = randomUUID();
      const repeats = await Promise.all([1, 2, 3].map(() => api.post(`${path}/${tail}`, { key })));
      const repeated = await api.post(`${path}/${tail}`, { key, body: {} });
      expect([...repeats, repeated].map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      expect(new Set([...repeats, repeated].map(({ text }) => text)).size).toBe(1);
      expect(await inbox.messages(tail.startsWith('emails') ? email : phone)).toHaveLength(1);

      const otherTail = tail === 'sms/2fa' ? 'emails/2fa' : 'sms/2fa';
      expectProblem(await api.post(`${path}/${otherTail}`, { key }), 409, 'idempotency_conflict');
      expect([...(await inbox.messages(phone)), ...(await inbox.messages(email))]).toHaveLength(1);
      const { path: another } = await createTransaction();
      expect((await api.post(`${another}/${tail}`, { key })).status).toBe(201);
    });

    it.each([
      ['sms', 'sms'],
      ['emails', 'email'],
    ] as const)('returns the first result for a repeated code by %s, right or wrong', async (tail, channel) => {
      const { api, inbox } = getTestStack();
      const { path, phone, email } = await createTransaction();
      await api.post(`${path}/${tail}/tokens`);
      const code = await inbox.code(channel === 'sms' ? phone : email, channel);
      const validate = (value: string, key: string) =>
        api.post(`${path}/${tail}/tokens/validate`, { body: { value }, key });
      const [wrongKey, rightKey] = [randomUUID(), randomUUID()];

      const wrong = await Promise.all([1, 2, 3].map(() => validate(differentCode(code), wrongKey)));
      for (const response of [...wrong, await validate(differentCode(code), wrongKey)]) {
        expect(response).toMatchObject({ status: 200, body: { status: 'Invalid' } });
        expect(response.headers.get('x-attempts-remaining')).toBe('4');
      }
      expectProblem(await validate(code, wrongKey), 409, 'idempotency_conflict');

      const right = await Promise.all([1, 2, 3].map(() => validate(code, rightKey)));
      for (const response of [...right, await validate(code, rightKey)])
        expect(response).toMatchObject({ status: 200, body: { status: 'Valid' } });
      expect((await validate(code, randomUUID())).body).toMatchObject({ status: 'Used' });
      expectProblem(await validate(differentCode(code), rightKey), 409, 'idempotency_conflict');
    });

    it('can be used again after a rejected request', async () => {
      const { api, inbox } = getTestStack();
      const { path, phone } = await createTransaction();
      const key = randomUUID();
      expectProblem(await api.post(`${path}/sms/tokens`, { key, body: { no: 1 } }), 400, 'unknown_field', ['no']);
      expect((await api.post(`${path}/sms/tokens`, { key })).status).toBe(201);
      expect(await inbox.messages(phone)).toHaveLength(1);
    });
  });
}
