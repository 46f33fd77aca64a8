import { setTimeout as pause } from 'node:timers/promises';
import type { GetTestStack } from '../support/test-stack';
import type { InboxMessage } from '../support/inbox-client';
import { expectProblem } from '../support/expect-problem';
import { expectStatusLog } from '../support/expect-status-log';
import { newPerson } from '../support/new-person';
import { waitUntil } from '../../support/wait-until';

/** The limit for the response to the caller, whatever the provider does. */
const respondsWithinMs = 5_000;
/**
 * The limit until the person has the message. A failed first attempt ends within 3 s. Retries follow after 1, 2 and 4 s. If Twilio may
 * have accepted the message, a retry first searches Twilio's list of messages.
 */
const deliveredWithinMs = 45_000;
/** A duplicate message would arrive within this time, which is enough for two retries that first search Twilio's list of messages. */
const duplicateWithinMs = 7_000;

/** `suffix`: the endpoint that sends the message. `failure`: what the inbox does in place of the provider. */
interface FailureCase {
  title: string;
  suffix: string;
  failure: { channel: InboxMessage['channel']; kind: string; status?: number; times?: number };
}

const smsCase = (title: string, suffix: string, kind: string, status?: number): FailureCase => ({
  title,
  suffix,
  failure: { channel: 'sms', kind, ...(status && { status }) },
});

const smsCases = [
  smsCase('no response', 'sms/tokens', 'timeout'),
  smsCase('a connection that is reset', 'sms/2fa', 'reset'),
  smsCase('an accepted message whose response is lost', 'sms/2fa', 'acceptThenDrop'),
  smsCase('an accepted message whose response hangs', 'sms/tokens', 'acceptThenHang'),
  smsCase('a response 429', 'sms/tokens', 'status', 429),
  smsCase('a response 503', 'sms/2fa', 'status', 503),
  smsCase('a refused account', 'sms/tokens', 'status', 401),
];
const whatsappCases: FailureCase[] = [
  {
    title: 'three responses 500',
    suffix: 'whatsapps/2fa',
    failure: { channel: 'whatsapp', kind: 'status', status: 500, times: 3 },
  },
  {
    title: 'an accepted message without a response',
    suffix: 'whatsapps/2fa',
    failure: { channel: 'whatsapp', kind: 'acceptThenDrop' },
  },
];
const mailCases: FailureCase[] = [
  {
    title: 'a mail server that returns 451',
    suffix: 'emails/tokens',
    failure: { channel: 'email', kind: 'status', status: 451 },
  },
  {
    title: 'a mail server that refuses the password',
    suffix: 'emails/tokens',
    failure: { channel: 'email', kind: 'status', status: 535 },
  },
  { title: 'a mail whose connection is reset', suffix: 'emails/2fa', failure: { channel: 'email', kind: 'reset' } },
];

/** The caller gets a response in time, and the person gets exactly one message. */
export function describeProviderFailures(getTestStack: GetTestStack): void {
  describe('a failing provider', () => {
    afterEach(() => getTestStack().inbox.clearFailures());

    // Cases of different channels run at the same time, but `planFailures` replaces all planned failures. So the cases plan their
    // failures one after the other, and each case plans the earlier failures again.
    let lastPlan = Promise.resolve();
    const addFailure = (failure: object): Promise<void> => {
      const { inbox } = getTestStack();
      lastPlan = lastPlan.then(async () => inbox.planFailures(...(await inbox.readPlannedFailures()), failure));
      return lastPlan;
    };
    const runCase = async ({ title, suffix, failure }: FailureCase) => {
      const { api, inbox } = getTestStack();
      const { channel } = failure;
      const person = newPerson();
      const to = channel === 'email' ? person.email : person.phone;
      const path = await api.createTransaction(person.body);
      await addFailure(failure);
      const response = await api.post(`${path}/${suffix}`);
      const { status } = response.body as { status: string };
      // An accepted message may be delivered before the caller gets a response.
      const allowedStatuses = failure.kind.startsWith('accept') ? ['Waiting', 'Sent', 'Delivered'] : ['Waiting'];
      expect([title, response.status, allowedStatuses]).toEqual([title, 201, expect.arrayContaining([status])]);
      expect(response.durationMs).toBeLessThan(respondsWithinMs);
      // A planned failure hits the next message on its channel, so the next case must wait for this message.
      await waitUntil(async () => (await inbox.readMessages(to)).length > 0, deliveredWithinMs);
      return { title, path, suffix, channel, to };
    };
    const runCases = async (cases: readonly FailureCase[]) => {
      const results: Awaited<ReturnType<typeof runCase>>[] = [];
      for (const one of cases) results.push(await runCase(one));
      return results;
    };

    it('a failing provider delays no response, and each person gets exactly one message', async () => {
      const { api, inbox } = getTestStack();
      const results = (await Promise.all([smsCases, whatsappCases, mailCases].map(runCases))).flat();
      await pause(duplicateWithinMs);
      for (const { title, path, suffix, channel, to } of results) {
        expect([title, await inbox.readMessages(to)]).toEqual([title, [expect.objectContaining({ channel })]]);
        if (channel === 'whatsapp' || suffix.endsWith('/2fa')) {
          const [newest] = (await api.get(`${path}/${suffix}`)).body as { status: string }[];
          expect([title, newest?.status]).toEqual([title, channel === 'sms' ? 'Delivered' : 'Sent']);
        } else {
          const value = await inbox.waitForCode(to, channel);
          const { body } = await api.post(`${path}/${suffix}/validate`, { body: { value } });
          expect([title, body]).toEqual([title, expect.objectContaining({ status: 'Valid' })]);
        }
      }
    });

    it.each(['sms/tokens', 'sms/2fa'])(
      'POST %s returns 422 if the provider cannot reach the number',
      async (suffix) => {
        const { api, inbox } = getTestStack();
        const person = newPerson();
        const path = await api.createTransaction(person.body);
        const before = await api.get(`${path}/all`);
        await inbox.planFailures({ channel: 'sms', kind: 'status', status: 400, code: 21_211 });
        const response = await api.post(`${path}/${suffix}`);
        expectProblem(response, 422, 'destination_refused');
        expect((response.body as { detail: string }).detail).toContain('21211');
        expect((await api.get(`${path}/all`)).text).toBe(before.text);
        expect((await api.get(`${path}/sms/2fa`)).text).toBe('[]');
        expect(await inbox.readMessages(person.phone)).toEqual([]);
        // A rejected request does not start the pause between two messages.
        expect((await api.post(`${path}/${suffix}`)).status).toBe(201);
      },
    );

    it.each([
      [550, 'destination_refused'],
      [554, 'provider_refused'],
    ])('if the mail server returns %d, the caller gets 422 %s', async (status, code) => {
      const { api, inbox } = getTestStack();
      const path = await api.createTransaction(newPerson().body);
      await inbox.planFailures({ channel: 'email', kind: 'status', status });
      expectProblem(await api.post(`${path}/emails/tokens`), 422, code);
      expect((await api.get(`${path}/emails/tokens`)).status).toBe(404);
    });

    it('a second factor gets the status Failed if the provider reports its message as undelivered', async () => {
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
