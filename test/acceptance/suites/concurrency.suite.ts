import type { GetTestStack } from '../support/acceptance-stack';
import { newPerson } from '../support/new-person';

const times = 200;

const tally = (words: string[]): Record<string, number> =>
  Object.fromEntries([...new Set(words)].toSorted().map((word) => [word, words.filter((one) => one === word).length]));

/** Two hundred callers at once on one token. */
export function describeConcurrency(getTestStack: GetTestStack): void {
  describe(`${times} values at once`, () => {
    const withToken = async () => {
      const { api, inbox } = getTestStack();
      const person = newPerson();
      const path = await api.createTransaction(person.body);
      await api.post(`${path}/sms/tokens`);
      return { path, code: await inbox.code(person.phone, 'sms') };
    };
    const tryAll = async (path: string, values: string[]) => {
      const startedAt = Date.now();
      const answers = await Promise.all(
        values.map((value) => getTestStack().api.post(`${path}/sms/tokens/validate`, { body: { value } })),
      );
      const outcome = tally(answers.map(({ status, body }) => `${status} ${(body as { status: string }).status}`));
      process.stdout.write(
        `  ${values.length} values at once in ${Date.now() - startedAt} ms: ${JSON.stringify(outcome)}\n`,
      );
      return outcome;
    };

    it('that are wrong: at most five are evaluated, and the right one is Blocked afterwards', async () => {
      const { path, code } = await withToken();
      const guesses = Array.from({ length: times + 1 }, (_, index) => String(index).padStart(6, '0'));
      const outcome = await tryAll(path, guesses.filter((guess) => guess !== code).slice(0, times));
      // The last one evaluated is the first that is answered with Blocked.
      expect(outcome).toEqual({ '200 Blocked': times - 4, '200 Invalid': 4 });
      const { body } = await getTestStack().api.post(`${path}/sms/tokens/validate`, { body: { value: code } });
      expect(body).toMatchObject({ status: 'Blocked' });
      expect((await getTestStack().api.all(path)).smsToken).toMatchObject({ status: 'Blocked' });
    });

    it('that are right: one is Valid, the others are Used', async () => {
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
