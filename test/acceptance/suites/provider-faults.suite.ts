import { setTimeout as pause } from 'node:timers/promises';
import type { Running } from '../support/acceptance-stack';
import type { InboxMessage } from '../support/inbox-reader';
import { expectProblem } from '../support/expect-problem';
import { newPerson } from '../support/new-person';
import { until } from '../support/until';

/** The caller's answer comes within 5 s of asking, whatever the provider does. */
const answeredWithinMs = 5_000;
/** A first attempt that failed is settled after 3 s, then tried again after 1, 2 and 4 s and as many looks. */
const deliveredWithinMs = 45_000;
/** A doubled message would have come by then: two looks at an unknown outcome. */
const quietMs = 7_000;

type Fault = [what: string, tail: string, channel: InboxMessage['channel'], fault: object];

const faults: Fault[] = [
  ['three answers 500', 'whatsapps/2fa', 'whatsapp', { kind: 'status', status: 500, times: 3 }],
  ['no answer at all', 'sms/tokens', 'sms', { kind: 'timeout' }],
  ['a connection that is reset', 'sms/2fa', 'sms', { kind: 'reset' }],
  ['a message taken whose answer is lost', 'sms/2fa', 'sms', { kind: 'acceptThenDrop' }],
  ['a message taken whose answer hangs', 'sms/tokens', 'sms', { kind: 'acceptThenHang' }],
  ['an answer 429', 'sms/tokens', 'sms', { kind: 'status', status: 429 }],
  ['an answer 503', 'sms/2fa', 'sms', { kind: 'status', status: 503 }],
  ['a mail server that says later', 'emails/tokens', 'email', { kind: 'status', status: 451 }],
  ['a mail whose connection is reset', 'emails/2fa', 'email', { kind: 'reset' }],
];

/** A provider that fails: the caller is answered in time, and the person gets exactly one message. */
export function describeProviderFaults(running: Running): void {
  describe('a provider that fails', () => {
    afterEach(() => running().inbox.heal());

    it('keeps nobody waiting, and in the end each person has exactly one message', async () => {
      const { api, inbox } = running();
      const persons: { what: string; path: string; tail: string; channel: InboxMessage['channel']; to: string }[] = [];
      for (const [what, tail, channel, fault] of faults) {
        const person = newPerson();
        const path = await api.begin(person.body);
        await inbox.plan({ channel, ...fault });
        const answer = await api.post(`${path}/${tail}`);
        const { status } = answer.body as { status: string };
        expect([what, answer.status, status]).toEqual([what, 201, 'Waiting']);
        expect(answer.ms).toBeLessThan(answeredWithinMs);
        // Planned failures are taken by whoever sends next: the next case plans its own when these are used up.
        await until(async () => (await inbox.planned()).length === 0, deliveredWithinMs);
        persons.push({ what, path, tail, channel, to: channel === 'email' ? person.email : person.phone });
      }
      const delivered = async () => {
        const counts = await Promise.all(persons.map(({ to }) => inbox.messages(to)));
        return counts.every(({ length }) => length > 0);
      };
      await until(delivered, deliveredWithinMs);
      await pause(quietMs);
      for (const { what, path, tail, channel, to } of persons) {
        expect([what, await inbox.messages(to)]).toEqual([what, [expect.objectContaining({ channel })]]);
        if (tail.endsWith('/2fa')) {
          const [newest] = (await api.get(`${path}/${tail}`)).body as { status: string }[];
          expect([what, newest?.status]).toEqual([what, channel === 'sms' ? 'Delivered' : 'Sent']);
        } else if (channel !== 'whatsapp') {
          const value = await inbox.code(to, channel);
          const { body } = await api.post(`${path}/${tail}/validate`, { body: { value } });
          expect([what, body]).toEqual([what, expect.objectContaining({ status: 'Valid' })]);
        }
      }
    }, 120_000);

    it.each(['sms/tokens', 'sms/2fa'])(
      'refuses a number that it does not reach: POST %s is 422 at once',
      async (tail) => {
        const { api, inbox } = running();
        const person = newPerson();
        const path = await api.begin(person.body);
        const before = await api.get(`${path}/all`);
        await inbox.plan({ channel: 'sms', kind: 'status', status: 400, code: 21_211 });
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
    ])('of mails that answers %d makes it 422 %s', async (status, code) => {
      const { api, inbox } = running();
      const path = await api.begin(newPerson().body);
      await inbox.plan({ channel: 'email', kind: 'status', status });
      expectProblem(await api.post(`${path}/emails/tokens`), 422, code);
      expect((await api.get(`${path}/emails/tokens`)).status).toBe(404);
    });

    it('that reports a message as undelivered turns its record to Failed', async () => {
      const { api, inbox } = running();
      const path = await api.begin(newPerson().body);
      await inbox.plan({ channel: 'sms', kind: 'undelivered' });
      expect((await api.post(`${path}/sms/2fa`)).status).toBe(201);
      const statuses = async () =>
        ((await api.get(`${path}/sms/2fa`)).body as { status: string }[]).map(({ status }) => status);
      await until(async () => (await statuses())[0] === 'Failed');
      expect(await statuses()).toEqual(['Failed', 'Sent', 'Waiting']);
    });
  });
}
