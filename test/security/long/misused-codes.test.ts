import { Semaphore } from 'async-mutex';
import { newPerson } from '../../acceptance/support/new-person';
import { shareStack } from '../../acceptance/support/share-stack';
import { countAnswers, openConnections, type Answer } from '../connections';

/** How many transactions the test creates. Each has its own codes. */
const count = 1_000;
/** Short, because the test waits for the expiry. */
const smsLifetimeSeconds = 60;
const testWithinMs = 1_800_000;
const getTestStack = shareStack(() => ({
  env: {
    FLOW_SETTINGS: JSON.stringify({
      'sms-token': { expiresAfterSeconds: smsLifetimeSeconds },
      'email-token': { resendAfterSeconds: 1 },
    }),
    // With the rate 0, no phone prefix is blocked, although a thousand persons get messages before one of them answers.
    SENDING_LIMITS: JSON.stringify({ default: { lowAnswerRate: { messages: 50, rate: 0, blockHours: 12 } } }),
  },
}));

/** A transaction and the codes of its person. */
interface Subject {
  path: string;
  smsCode: string;
  smsSentAt: number;
  firstEmailCode: string;
  emailCode: string;
}

/** S4 in docs/security.md: wrong places and times for a right code. */
const misuses = [
  'in another transaction',
  'by another tenant',
  'of another channel',
  'after a newer code',
  'after its success',
  'after its expiry',
] as const;

test(
  `right codes at a wrong place or time are never accepted: ${misuses.length} x ${count} attempts`,
  async () => {
    const { api, inbox, stack } = getTestStack();
    const own = openConnections(api.address, await stack.token(), 8);
    const foreign = openConnections(api.address, await stack.token('other'), 8);
    const slots = new Semaphore(8);
    const forEach = <Result>(work: (index: number) => Promise<Result>) =>
      Promise.all(Array.from({ length: count }, (_, index) => slots.runExclusive(() => work(index))));
    const validate = (caller: typeof own, subject: Subject, kind: 'sms' | 'emails', value: string) =>
      caller.post(`${subject.path}/${kind}/tokens/validate`, { value });

    const answers = new Map<(typeof misuses)[number], Answer[]>(misuses.map((name) => [name, []]));
    let genuine = 0;
    const subjects = await forEach(async () => {
      const person = newPerson();
      const path = await api.createTransaction(person.body);
      const request = async (kind: 'sms' | 'emails') => {
        const response = await api.post(`${path}/${kind}/tokens`);
        if (response.status !== 201) throw new Error(response.text);
      };
      await request('emails');
      const firstEmailCode = await inbox.waitForCode(person.email, 'email');
      await request('sms');
      const smsSentAt = Date.now();
      const smsCode = await inbox.waitForCode(person.phone, 'sms');
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      await request('emails');
      const emailCode = await inbox.waitForCode(person.email, 'email');
      return { path, smsCode, smsSentAt, firstEmailCode, emailCode };
    });
    await forEach(async (index) => {
      const subject = subjects[index]!;
      const neighbor = subjects[(index + 1) % count]!;
      const record = async (name: (typeof misuses)[number], answer: Promise<Answer>) =>
        answers.get(name)?.push(await answer);
      await record('in another transaction', validate(own, subject, 'emails', neighbor.emailCode));
      await record('by another tenant', validate(foreign, subject, 'emails', subject.emailCode));
      await record('of another channel', validate(own, subject, 'emails', subject.smsCode));
      await record('after a newer code', validate(own, subject, 'emails', subject.firstEmailCode));
      if ((await validate(own, subject, 'emails', subject.emailCode)).body['status'] === 'Valid') genuine += 1;
      await record('after its success', validate(own, subject, 'emails', subject.emailCode));
      const remainingMs = subject.smsSentAt + smsLifetimeSeconds * 1_000 + 500 - Date.now();
      if (remainingMs > 0) await new Promise((resolve) => setTimeout(resolve, remainingMs));
      await record('after its expiry', validate(own, subject, 'sms', subject.smsCode));
    });
    own.close();
    foreign.close();
    for (const [name, list] of answers)
      process.stderr.write(`S4: ${list.length} codes ${name}: ${JSON.stringify(countAnswers(list))}\n`);
    process.stderr.write(`S4: ${genuine} of ${count} genuine uses accepted\n`);
    for (const list of answers.values()) {
      expect(list).toHaveLength(count);
      expect(list.filter(({ body }) => body['status'] === 'Valid')).toEqual([]);
    }
    expect(genuine).toBe(count);
  },
  testWithinMs,
);
