import type { GetTestStack } from '../support/test-stack';
import { newPerson } from '../support/new-person';

const times = 200;

const tally = (statuses: string[]): Record<string, number> =>
  Object.fromEntries(
    [...new Set(statuses)].toSorted().map((status) => [status, statuses.filter((one) => one === status).length]),
  );

/** Two hundred callers at the same time on one token. */
export function describeConcurrency(getTestStack: GetTestStack): void {
  describe(`${times} codes at the same time`, () => {
    const withToken = async () => {
      const { api, inbox } = getTestStack();
      const person = newPerson();
      const path = await api.createTransaction(person.body);
      await api.post(`${path}/sms/tokens`);
      return { path, code: await inbox.code(person.phone, 'sms') };
    };
    const tryAll = async (path: string, values: string[]) => {
      const startedAt = Date.now();
      const responses = await Promise.all(
        values.map((value) => getTestStack().api.post(`${path}/sms/tokens/validate`, { body: { value } })),
      );
      const outcome = tally(responses.map(({ status, body }) => `${status} ${(body as { status: string }).status}`));
      process.stdout.write(
        `  ${values.length} values at once in ${Date.now() - startedAt} ms: ${JSON.stringify(outcome)}\n`,
      );
      return outcome;
    };

    it('evaluates at most five wrong codes, then returns Blocked for the right one', async () => {
      const { path, code } = await withToken();
      const codes = Array.from({ length: times + 1 }, (_, index) => String(index).padStart(6, '0'));
      const outcome = await tryAll(path, codes.filter((wrongCode) => wrongCode !== code).slice(0, times));
      // The last evaluated attempt is the first one with the response Blocked.
      expect(outcome).toEqual({ '200 Blocked': times - 4, '200 Invalid': 4 });
      const { body } = await getTestStack().api.post(`${path}/sms/tokens/validate`, { body: { value: code } });
      expect(body).toMatchObject({ status: 'Blocked' });
      expect((await getTestStack().api.all(path)).smsToken).toMatchObject({ status: 'Blocked' });
    });

    it('accepts one right code and returns Used for the others', async () => {
      const { path, code } = await withToken();
      const outcome = await tryAll(
        path,
        Array.from({ length: times }, () => code),
      );
      expect(outcome).toEqual({ '200 Used': times - 1, '200 Valid': 1 });
      const all = await getTestStack().api.all(path);
      expect(all.scores.map(({ reason }) => reason)).toEqual(['Initial', 'PhoneChecked']);
    });
  });
}
