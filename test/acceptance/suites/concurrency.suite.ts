import type { GetTestStack } from '../support/test-stack';
import { newPerson } from '../support/new-person';

const callerCount = 200;

const tally = (statuses: string[]): Record<string, number> =>
  Object.fromEntries(
    [...new Set(statuses)].toSorted().map((status) => [status, statuses.filter((one) => one === status).length]),
  );

/** Many creates before a list, and many codes for one token at the same time. */
export function describeConcurrency(getTestStack: GetTestStack): void {
  it('a list has every transaction whose create was answered before the list', async () => {
    const { api } = getTestStack();
    const createTransaction = async () => {
      const { body } = await api.post('/v1/transaction', { body: newPerson().body });
      return (body as { id: string }).id;
    };
    const ids = await Promise.all(Array.from({ length: 40 }, createTransaction));
    const { status, body } = await api.get(`/v1/transactions?limit=100`);
    expect(status).toBe(200);
    const listedIds = (body as { transactions: { id: string }[] }).transactions.map(({ id }) => id);
    expect(listedIds).toEqual(expect.arrayContaining(ids));
  });

  describe(`a token that gets ${callerCount} codes at the same time`, () => {
    const createWithToken = async () => {
      const { api, inbox } = getTestStack();
      const person = newPerson();
      const path = await api.createTransaction(person.body);
      await api.post(`${path}/sms/tokens`);
      return { path, code: await inbox.waitForCode(person.phone, 'sms') };
    };
    const validateAll = async (path: string, codes: string[]) => {
      const startedAt = Date.now();
      const responses = await Promise.all(
        codes.map((value) => getTestStack().api.post(`${path}/sms/tokens/validate`, { body: { value } })),
      );
      const statusCounts = tally(
        responses.map(({ status, body }) => `${status} ${(body as { status: string }).status}`),
      );
      process.stdout.write(
        `  ${codes.length} codes at once in ${Date.now() - startedAt} ms: ${JSON.stringify(statusCounts)}\n`,
      );
      return statusCounts;
    };

    it('a token evaluates only five of many wrong codes that arrive at once, and then returns Blocked for the right code', async () => {
      const { path, code } = await createWithToken();
      const codes = Array.from({ length: callerCount + 1 }, (_, index) => String(index).padStart(6, '0'));
      const statusCounts = await validateAll(
        path,
        codes.filter((wrongCode) => wrongCode !== code).slice(0, callerCount),
      );
      // The token evaluates five codes. The fifth response is already Blocked.
      expect(statusCounts).toEqual({ '200 Blocked': callerCount - 4, '200 Invalid': 4 });
      const { body } = await getTestStack().api.post(`${path}/sms/tokens/validate`, { body: { value: code } });
      expect(body).toMatchObject({ status: 'Blocked' });
      expect((await getTestStack().api.getAll(path)).smsToken).toMatchObject({ status: 'Blocked' });
    });

    it('a token that gets the right code many times at once returns Valid for one request, and Used for the others', async () => {
      const { path, code } = await createWithToken();
      const statusCounts = await validateAll(
        path,
        Array.from({ length: callerCount }, () => code),
      );
      expect(statusCounts).toEqual({ '200 Used': callerCount - 1, '200 Valid': 1 });
      const all = await getTestStack().api.getAll(path);
      expect(all.scores.map(({ reason }) => reason)).toEqual(['Initial', 'PhoneChecked']);
    });
  });
}
