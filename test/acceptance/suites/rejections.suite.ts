import type { GetTestStack } from '../support/test-stack';
import { expectProblem } from '../support/expect-problem';
import { differentCode, newPerson } from '../support/new-person';

const landline = { countryCode: 55, areaCode: 11, number: 32_345_678 };
const foreignPhone = { countryCode: 44, number: 7_700_900_123 };

const phoneSuffixes = ['sms/tokens', 'sms/2fa', 'whatsapps/2fa'];
const mailSuffixes = ['emails/tokens', 'emails/2fa'];

/** `change`: how the person differs from a person who can get messages. */
type RejectedRequest = [suffix: string, code: string, change: object];

const rejectedRequests: RejectedRequest[] = [
  ...phoneSuffixes.map((suffix): RejectedRequest => [suffix, 'phone_missing', { phone: undefined }]),
  ...phoneSuffixes.map((suffix): RejectedRequest => [suffix, 'destination_not_mobile', { phone: landline }]),
  ...phoneSuffixes.map((suffix): RejectedRequest => [suffix, 'country_not_allowed', { phone: foreignPhone }]),
  ...mailSuffixes.map((suffix): RejectedRequest => [suffix, 'email_missing', { email: undefined }]),
];

/** Valid requests that cannot be fulfilled, such as a send to a landline. */
export function describeRejections(getTestStack: GetTestStack): void {
  describe('rejections', () => {
    it.each(rejectedRequests)('POST %s returns 422 %s, and changes nothing', async (suffix, code, change) => {
      const { api } = getTestStack();
      const path = await api.createTransaction({ ...newPerson().body, ...change });
      const before = await api.get(`${path}/all`);
      expectProblem(await api.post(`${path}/${suffix}`), 422, code);
      expect((await api.get(`${path}/all`)).text).toBe(before.text);
    });

    it.each(['sms', 'emails'])(
      'a validation of a code by %s returns 404 token_not_found if no code was sent',
      async (channel) => {
        const { api } = getTestStack();
        const path = await api.createTransaction(newPerson().body);
        const response = await api.post(`${path}/${channel}/tokens/validate`, { body: { value: '123456' } });
        expectProblem(response, 404, 'token_not_found');
      },
    );

    it.each([...phoneSuffixes, ...mailSuffixes])(
      'a second POST %s that comes too soon returns 429, and sends nothing',
      async (suffix) => {
        const { api, inbox } = getTestStack();
        const person = newPerson();
        const path = await api.createTransaction(person.body);
        expect((await api.post(`${path}/${suffix}`)).status).toBe(201);
        const secondResponse = await api.post(`${path}/${suffix}`);
        expectProblem(secondResponse, 429, 'resend_too_soon');
        expect(Number(secondResponse.headers.get('retry-after'))).toBeGreaterThan(50);
        expect(Number(secondResponse.headers.get('retry-after'))).toBeLessThanOrEqual(60);
        const to = suffix.startsWith('emails') ? person.email : person.phone;
        expect(await inbox.readMessages(to)).toHaveLength(1);
      },
    );

    it('a phone gets at most five messages a day in all transactions of a tenant, and another tenant has its own limit', async () => {
      const { api, inbox, stack } = getTestStack();
      const token = await stack.token('other');
      const person = newPerson();
      const statuses: number[] = [];
      for (const tenantToken of [undefined, undefined, undefined, undefined, undefined, undefined, token]) {
        const options = tenantToken ? { token: tenantToken } : {};
        const { body } = await api.post('/v1/transaction', { body: person.body, ...options });
        const path = `/v1/transaction/${(body as { id: string }).id}`;
        const response = await api.post(`${path}/sms/tokens`, options);
        statuses.push(response.status);
        if (response.status !== 201) {
          expectProblem(response, 429, 'phone_daily_limit');
          expect((await api.get(`${path}/all`, options)).body).not.toHaveProperty('smsToken');
        }
      }
      expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 201]);
      expect(await inbox.readMessages(person.phone)).toHaveLength(6);
    });

    it('after five wrong codes, the right code gets Blocked, and a request for a new token that comes too soon gets 429', async () => {
      const { api, inbox } = getTestStack();
      const person = newPerson();
      const path = await api.createTransaction(person.body);
      await api.post(`${path}/emails/tokens`);
      const value = await inbox.waitForCode(person.email, 'email');
      const statuses: string[] = [];
      const wrong: string[] = [];
      while (wrong.length < 6) wrong.push(differentCode(wrong.at(-1) ?? value));
      for (const attempt of [...wrong.slice(0, 5), value, ...wrong.slice(5)]) {
        const { body } = await api.post(`${path}/emails/tokens/validate`, { body: { value: attempt } });
        statuses.push((body as { status: string }).status);
      }
      expect(statuses).toEqual(['Invalid', 'Invalid', 'Invalid', 'Invalid', 'Blocked', 'Blocked', 'Blocked']);
      expectProblem(await api.post(`${path}/emails/tokens`), 429, 'resend_too_soon');
      expect((await api.getAll(path)).transaction.verifiedEmail).toBe(false);
    });

    it('a person gets no SMS after the reply PARE (stop), and gets SMS again after the reply START', async () => {
      const { api, inbox } = getTestStack();
      const person = newPerson();
      const path = await api.createTransaction(person.body);
      await api.post(`${path}/sms/2fa`);
      const question = await inbox.waitForNewest(person.phone, 'sms');
      await inbox.reply(question.id, { text: 'PARE' });
      await new Promise((resolve) => setTimeout(resolve, 500));
      expectProblem(await api.post(`${path}/sms/tokens`), 422, 'destination_opted_out');
      expect((await api.post(`${path}/whatsapps/2fa`)).status).toBe(201);
      await inbox.reply(question.id, { text: 'Start' });
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect((await api.post(`${path}/sms/tokens`)).status).toBe(201);
    });
  });
}
