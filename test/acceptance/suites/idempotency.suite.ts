import { randomUUID } from 'node:crypto';
import type { GetTestStack } from '../support/test-stack';
import { expectProblem } from '../support/expect-problem';
import { newPerson, differentCode } from '../support/new-person';

const sendSuffixes = ['sms/tokens', 'sms/2fa', 'whatsapps/2fa', 'emails/tokens', 'emails/2fa'];

/** On every POST, a repeat with the same key is safe, and a different request with this key is rejected. */
export function describeIdempotency(getTestStack: GetTestStack): void {
  describe('an Idempotency-Key', () => {
    const createTransaction = async () => {
      const person = newPerson();
      return { ...person, path: await getTestStack().api.createTransaction(person.body) };
    };

    it('five requests with one key at the same time create one transaction', async () => {
      const { api } = getTestStack();
      const [key, { body }] = [randomUUID(), newPerson()];
      const responses = await Promise.all(Array.from({ length: 5 }, () => api.post('/v1/transaction', { body, key })));
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
      const { address, documentType, ...rest } = body;
      // The order of fields does not matter.
      const reorderedResponse = await api.post('/v1/transaction', { body: { ...rest, documentType, address }, key });
      expect(reorderedResponse.text).toBe(responses[0]?.text);
      expect(reorderedResponse.headers.get('idempotency-replayed')).toBe('true');
      const conflict = await api.post('/v1/transaction', { body: { ...body, name: 'Somebody Else' }, key });
      expectProblem(conflict, 409, 'idempotency_conflict', [], ['transactionId']);
    });

    it('requests with one idempotency key start one flow run, and a request with this key and another flow returns 409', async () => {
      const { api, inbox } = getTestStack();
      const { body, phone } = newPerson();
      const createTransaction = (key: string, flow = '') => api.post(`/v1/transaction${flow}`, { body, key });
      const [key, keyWithoutFlow] = [randomUUID(), randomUUID()];
      const [firstResponse, repeatedResponse] = [
        await createTransaction(key, '?flow=sms-token'),
        await createTransaction(key, '?flow=sms-token'),
      ];
      expect([firstResponse, repeatedResponse].map(({ status, text }) => [status, text])).toEqual([
        [201, firstResponse.text],
        [201, firstResponse.text],
      ]);
      expect(repeatedResponse.headers.get('x-countersign-run')).toBe(firstResponse.headers.get('x-countersign-run'));
      expect((await createTransaction(keyWithoutFlow)).status).toBe(201);
      for (const conflict of [
        await createTransaction(key, '?flow=sms-2fa'),
        await createTransaction(key),
        await createTransaction(keyWithoutFlow, '?flow=sms-token'),
      ])
        expectProblem(conflict, 409, 'idempotency_conflict', [], ['transactionId']);
      const { id } = firstResponse.body as { id: string };
      expect((await api.get(`/v1/transaction/${id}/flows`)).body).toHaveLength(1);
      expect(await inbox.readMessages(phone)).toHaveLength(1);
    });

    it.each(sendSuffixes)('repeats of POST %s with one key send one message', async (suffix) => {
      const { api, inbox } = getTestStack();
      const { path, phone, email } = await createTransaction();
      const key = randomUUID();
      const responses = await Promise.all([1, 2, 3].map(() => api.post(`${path}/${suffix}`, { key })));
      const laterResponse = await api.post(`${path}/${suffix}`, { key, body: {} });
      expect([...responses, laterResponse].map(({ status }) => status)).toEqual([201, 201, 201, 201]);
      expect(new Set([...responses, laterResponse].map(({ text }) => text)).size).toBe(1);
      expect(await inbox.readMessages(suffix.startsWith('emails') ? email : phone)).toHaveLength(1);

      const otherSuffix = suffix === 'sms/2fa' ? 'emails/2fa' : 'sms/2fa';
      expectProblem(await api.post(`${path}/${otherSuffix}`, { key }), 409, 'idempotency_conflict');
      expect([...(await inbox.readMessages(phone)), ...(await inbox.readMessages(email))]).toHaveLength(1);
      const { path: otherPath } = await createTransaction();
      expect((await api.post(`${otherPath}/${suffix}`, { key })).status).toBe(201);
    });

    it.each([
      ['sms', 'sms'],
      ['emails', 'email'],
    ] as const)(
      'a repeated validation of a right or wrong code by %s with the same key gets the first result',
      async (suffix, channel) => {
        const { api, inbox } = getTestStack();
        const { path, phone, email } = await createTransaction();
        await api.post(`${path}/${suffix}/tokens`);
        const code = await inbox.waitForCode(channel === 'sms' ? phone : email, channel);
        const validate = (value: string, key: string) =>
          api.post(`${path}/${suffix}/tokens/validate`, { body: { value }, key });
        const [wrongKey, rightKey] = [randomUUID(), randomUUID()];

        const wrongResponses = await Promise.all([1, 2, 3].map(() => validate(differentCode(code), wrongKey)));
        for (const response of [...wrongResponses, await validate(differentCode(code), wrongKey)]) {
          expect(response).toMatchObject({ status: 200, body: { status: 'Invalid' } });
          expect(response.headers.get('x-attempts-remaining')).toBe('4');
        }
        expectProblem(await validate(code, wrongKey), 409, 'idempotency_conflict');

        const rightResponses = await Promise.all([1, 2, 3].map(() => validate(code, rightKey)));
        for (const response of [...rightResponses, await validate(code, rightKey)])
          expect(response).toMatchObject({ status: 200, body: { status: 'Valid' } });
        expect((await validate(code, randomUUID())).body).toMatchObject({ status: 'Used' });
        expectProblem(await validate(differentCode(code), rightKey), 409, 'idempotency_conflict');
      },
    );

    it('a key can be used again after a request with an invalid body', async () => {
      const { api, inbox } = getTestStack();
      const { path, phone } = await createTransaction();
      const key = randomUUID();
      expectProblem(await api.post(`${path}/sms/tokens`, { key, body: { no: 1 } }), 400, 'unknown_field', ['no']);
      expect((await api.post(`${path}/sms/tokens`, { key })).status).toBe(201);
      expect(await inbox.readMessages(phone)).toHaveLength(1);
    });
  });
}
