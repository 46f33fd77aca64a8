import { setTimeout as pause } from 'node:timers/promises';
import type { GetTestStack } from '../support/test-stack';
import type { ApiResponse } from '../support/api-response';
import { expectProblem } from '../support/expect-problem';
import { retryWhileUnavailable } from '../support/retry-while-unavailable';
import { newPerson } from '../support/new-person';
import { waitUntil } from '../../support/wait-until';

/**
 * Long enough for several attempts of gRPC to connect, with longer and longer pauses. A quick recovery shows that the service limits these
 * pauses.
 */
const outageMs = 10_000;
/**
 * The limit for every response during the outage. A response that waited for Temporal would take longer. The exact deadlines are below 2 s,
 * and are tested with a fake clock (test/api/transactions/send-command.test.ts).
 */
const respondsWithinMs = 5_000;
/** Without a limit, gRPC pauses for 6.5 s before its first attempt after this outage. */
const recoversWithinMs = 6_000;
/** The limit for everything that must still happen after the outage, such as new connections and the retry of a failed send. */
const finishedWithinMs = 60_000;

const slowestMs = (responses: ApiResponse[]) => Math.max(...responses.map(({ durationMs }) => durationMs));

/** While Temporal is stopped, creates and reads work, commands return 503 in time, and no accepted request is lost. */
export function describeTemporalOutage(getTestStack: GetTestStack): void {
  describe(`Temporal stopped for ${outageMs / 1_000} s`, () => {
    const [sentPerson, pendingPerson] = [newPerson(), newPerson()];
    const paths = { sent: '', pending: '' };
    const reads: ApiResponse[] = [];
    const creates: ApiResponse[] = [];
    const commands: ApiResponse[] = [];
    let recoveredAfterMs = 0;

    beforeAll(async () => {
      const { api, inbox, stack } = getTestStack();
      paths.sent = await api.createTransaction(sentPerson.body);
      paths.pending = await api.createTransaction(pendingPerson.body);
      expect((await api.post(`${paths.sent}/sms/tokens`)).status).toBe(201);
      // The provider accepts this message only at a later attempt.
      await inbox.planFailures({ channel: 'sms', kind: 'status', status: 500, times: 2 });
      expect((await api.post(`${paths.pending}/sms/tokens`)).status).toBe(201);
      await stack.stop('temporal');

      const outageEndsAt = Date.now() + outageMs;
      while (Date.now() < outageEndsAt) {
        const suffixes = ['', '/all', '/sms/2fa', '/emails/2fa', '/whatsapps/2fa'];
        reads.push(...(await Promise.all(suffixes.map((suffix) => api.get(`${paths.sent}${suffix}`)))));
        creates.push(await api.post('/v1/transaction', { body: newPerson().body }));
        commands.push(
          ...(await Promise.all([
            api.post(`${paths.sent}/emails/tokens`),
            api.post(`${paths.sent}/sms/tokens/validate`, { body: { value: '123456' } }),
          ])),
        );
        await pause(250);
      }
      await stack.start('temporal');
      const restartedAt = Date.now();
      const { body } = await api.post('/v1/transaction', { body: newPerson().body });
      const sendCode = async () =>
        (await api.post(`/v1/transaction/${(body as { id: string }).id}/sms/tokens`)).status === 201;
      await waitUntil(sendCode, finishedWithinMs);
      recoveredAfterMs = Date.now() - restartedAt;
      process.stdout.write(
        `  Temporal stopped: ${reads.length} reads, slowest ${slowestMs(reads)} ms; ` +
          `${creates.length} creates, slowest ${slowestMs(creates)} ms; ` +
          `${commands.length} commands, slowest ${slowestMs(commands)} ms; recovered after ${recoveredAfterMs} ms\n`,
      );
    });
    afterAll(() => getTestStack().inbox.clearFailures());

    it('every command during the outage returns 503 with Retry-After, and does not wait for Temporal', () => {
      for (const response of commands) expectProblem(response, 503, 'service_unavailable');
      expect(slowestMs(commands)).toBeLessThan(respondsWithinMs);
    });

    it('every transaction that is created during the outage has its first score at once, and continues after it', async () => {
      const { api } = getTestStack();
      expect(creates.length).toBeGreaterThan(0);
      expect(slowestMs(creates)).toBeLessThan(respondsWithinMs);
      for (const { status, body } of creates) {
        expect(status).toBe(201);
        const path = `/v1/transaction/${(body as { id: string }).id}`;
        expect((await api.getAll(path)).scores).toMatchObject([{ reason: 'Initial' }]);
      }
    });

    it('every read during the outage is answered from the record', () => {
      const statusesAndSources = reads.map(({ status, headers }) => [status, headers.get('x-countersign-source')]);
      expect(
        statusesAndSources.filter(([status, source]) => !(status === 200 || status === 204) || source !== 'record'),
      ).toEqual([]);
      expect(slowestMs(reads)).toBeLessThan(respondsWithinMs);
      expect(reads[1]?.body).toMatchObject({ smsToken: { status: 'Waiting' } });
    });

    it(`a code can be sent within ${recoversWithinMs / 1_000} s after Temporal starts again`, () => {
      expect(recoveredAfterMs).toBeLessThan(recoversWithinMs);
    });

    it('requests that were accepted before the outage are finished afterwards', async () => {
      const { api, inbox } = getTestStack();
      await waitUntil(async () => (await inbox.readMessages(pendingPerson.phone)).length > 0, finishedWithinMs);
      for (const [person, path] of [
        [sentPerson, paths.sent],
        [pendingPerson, paths.pending],
      ] as const) {
        const value = await inbox.waitForCode(person.phone, 'sms');
        const validate = () => api.post(`${path}/sms/tokens/validate`, { body: { value }, key: `after-${value}` });
        const response = await retryWhileUnavailable(validate, finishedWithinMs);
        expect(response).toMatchObject({ status: 200, body: { status: 'Valid' } });
      }
      // A duplicate message would arrive during this pause.
      await pause(5_000);
      expect(await inbox.readMessages(pendingPerson.phone)).toHaveLength(1);
      expect(await inbox.readMessages(sentPerson.phone)).toHaveLength(1);
      // Rejected requests have no effect.
      expect(await inbox.readMessages(sentPerson.email)).toEqual([]);
      expect((await api.getAll(paths.sent)).smsToken).toMatchObject({ status: 'Valid' });
    });
  });
}
