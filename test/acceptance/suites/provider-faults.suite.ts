import { setTimeout as pause } from 'node:timers/promises';
import type { GetTestStack } from '../support/acceptance-stack';
import type { InboxMessage } from '../support/inbox-reader';
import { expectProblem } from '../support/expect-problem';
import { expectStatusLog } from '../support/expect-status-log';
import { newPerson } from '../support/new-person';
import { waitUntil } from '../support/until';

/** The caller's answer comes within 5 s of asking, whatever the provider does. */
const answeredWithinMs = 5_000;
/** A first attempt that failed is settled after 3 s, then tried again after 1, 2 and 4 s and as many looks. */
const deliveredWithinMs = 45_000;
/** A doubled message would have come by then: two looks at an unknown outcome. */
const quietMs = 7_000;

interface FailureCase {
  what: string;
  tail: string;
  failure: { channel: InboxMessage['channel']; kind: string; status?: number; times?: number };
}

const sms = (what: string, tail: string, kind: string, status?: number): FailureCase => ({
  what,
  tail,
  failure: { channel: 'sms', kind, ...(status && { status }) },
});

const smsCases = [
  sms('no answer at all', 'sms/tokens', 'timeout'),
  sms('a connection that is reset', 'sms/2fa', 'reset'),
  sms('a message taken whose answer is lost', 'sms/2fa', 'acceptThenDrop'),
  sms('a message taken whose answer hangs', 'sms/tokens', 'acceptThenHang'),
  sms('an answer 429', 'sms/tokens', 'status', 429),
  sms('an answer 503', 'sms/2fa', 'status', 503),
];
const whatsappCases: FailureCase[] = [
  {
    what: 'three answers 500',
    tail: 'whatsapps/2fa',
    failure: { channel: 'whatsapp', kind: 'status', status: 500, times: 3 },
  },
  {
    what: 'a message taken, no answer',
    tail: 'whatsapps/2fa',
    failure: { channel: 'whatsapp', kind: 'acceptThenDrop' },
  },
];
const mailCases: FailureCase[] = [
  {
    what: 'a mail server that says later',
    tail: 'emails/tokens',
    failure: { channel: 'email', kind: 'status', status: 451 },
  },
  { what: 'a mail whose connection is reset', tail: 'emails/2fa', failure: { channel: 'email', kind: 'reset' } },
];

/** A provider that fails: the caller is answered in time, and the person gets exactly one message. */
export function describeProviderFailures(getTestStack: GetTestStack): void {
  describe('a provider that fails', () => {
    afterEach(() => getTestStack().inbox.clearFailures());

    // Channels are tried at the same time, and a plan replaces the one before it: plans are made in turn.
    let planning = Promise.resolve();
    const addFailure = (failure: object): Promise<void> => {
      const { inbox } = getTestStack();
      planning = planning.then(async () => inbox.planFailures(...(await inbox.plannedFailures()), failure));
      return planning;
    };
    const runCase = async ({ what, tail, failure }: FailureCase) => {
      const { api, inbox } = getTestStack();
      const { channel } = failure;
      const person = newPerson();
      const to = channel === 'email' ? person.email : person.phone;
      const path = await api.createTransaction(person.body);
      await addFailure(failure);
      const answer = await api.post(`${path}/${tail}`);
      const { status } = answer.body as { status: string };
      // A message that was taken may have reported its delivery before the caller is answered.
      const statuses = failure.kind.startsWith('accept') ? ['Waiting', 'Sent', 'Delivered'] : ['Waiting'];
      expect([what, answer.status, statuses]).toEqual([what, 201, expect.arrayContaining([status])]);
      expect(answer.ms).toBeLessThan(answeredWithinMs);
      // A planned failure is taken by whoever sends next: nobody else may, until this person has the message.
      await waitUntil(async () => (await inbox.messages(to)).length > 0, deliveredWithinMs);
      return { what, path, tail, channel, to };
    };
    const runCases = async (cases: readonly FailureCase[]) => {
      const results: Awaited<ReturnType<typeof runCase>>[] = [];
      for (const one of cases) results.push(await runCase(one));
      return results;
    };

    it('delays no response, and in the end each person has exactly one message', async () => {
      const { api, inbox } = getTestStack();
      const persons = (await Promise.all([smsCases, whatsappCases, mailCases].map(runCases))).flat();
      await pause(quietMs);
      for (const { what, path, tail, channel, to } of persons) {
        expect([what, await inbox.messages(to)]).toEqual([what, [expect.objectContaining({ channel })]]);
        if (channel === 'whatsapp' || tail.endsWith('/2fa')) {
          const [newest] = (await api.get(`${path}/${tail}`)).body as { status: string }[];
          expect([what, newest?.status]).toEqual([what, channel === 'sms' ? 'Delivered' : 'Sent']);
        } else {
          const value = await inbox.code(to, channel);
          const { body } = await api.post(`${path}/${tail}/validate`, { body: { value } });
          expect([what, body]).toEqual([what, expect.objectContaining({ status: 'Valid' })]);
        }
      }
    }, 120_000);

    it.each(['sms/tokens', 'sms/2fa'])(
      'refuses a number that it does not reach: POST %s is 422 at once',
      async (tail) => {
        const { api, inbox } = getTestStack();
        const person = newPerson();
        const path = await api.createTransaction(person.body);
        const before = await api.get(`${path}/all`);
        await inbox.planFailures({ channel: 'sms', kind: 'status', status: 400, code: 21_211 });
        const refused = await api.post(`${path}/${tail}`);
        expectProblem(refused, 422, 'destination_refused');
        expect((refused.body as { detail: string }).detail).toContain('21211');
        expect((await api.get(`${path}/all`)).text).toBe(before.text);
        expect((await api.get(`${path}/sms/2fa`)).text).toBe('[]');
        expect(await inbox.messages(person.phone)).toEqual([]);
        // It was as if never asked for: no cooldown either.
        expect((await api.post(`${path}/${tail}`)).status).toBe(201);
      },
    );

    it.each([
      [550, 'destination_refused'],
      [554, 'provider_refused'],
    ])('for e-mail that returns %d is 422 %s', async (status, code) => {
      const { api, inbox } = getTestStack();
      const path = await api.createTransaction(newPerson().body);
      await inbox.planFailures({ channel: 'email', kind: 'status', status });
      expectProblem(await api.post(`${path}/emails/tokens`), 422, code);
      expect((await api.get(`${path}/emails/tokens`)).status).toBe(404);
    });

    it('that reports a message as undelivered makes its status Failed', async () => {
      const { api, inbox } = getTestStack();
      const path = await api.createTransaction(newPerson().body);
      await inbox.planFailures({ channel: 'sms', kind: 'undelivered' });
      expect((await api.post(`${path}/sms/2fa`)).status).toBe(201);
      const log = async () => (await api.get(`${path}/sms/2fa`)).body as { status: string }[];
      await waitUntil(async () => (await log())[0]?.status === 'Failed');
      expectStatusLog(await log(), ['Failed', 'Sent', 'Waiting']);
    });
  });
}
