import { setTimeout as pause } from 'node:timers/promises';
import type { GetTestStack } from '../support/acceptance-stack';
import type { ApiResponse } from '../support/answer';
import { expectProblem } from '../support/expect-problem';
import { retryWhileUnavailable } from '../support/insist';
import { newPerson } from '../support/new-person';
import { waitUntil } from '../support/until';

/** Longer than the first pauses of gRPC between attempts to connect, so that the return shows whether they are kept short. */
const awayMs = 10_000;
/** A caller who cannot be served is told so within this. */
const toldWithinMs = 2_000;
/** Whoever waited for longer than this would take the service for broken. */
const againWithinMs = 3_000;
/** Everything is under way again: connections are made anew, and a failed send has waited for its turn. */
const finishedWithinMs = 60_000;

const slowest = (answers: ApiResponse[]) => Math.max(...answers.map(({ ms }) => ms));

/** While Temporal is away: writes are refused in time, reads go on, and nothing that was accepted is lost. */
export function describeTemporalOutage(getTestStack: GetTestStack): void {
  describe(`Temporal stopped for ${awayMs / 1_000} s`, () => {
    const [sent, pending] = [newPerson(), newPerson()];
    const paths = { sent: '', pending: '' };
    const reads: ApiResponse[] = [];
    const writes: ApiResponse[] = [];
    let againAfterMs = 0;

    beforeAll(async () => {
      const { api, inbox, stack } = getTestStack();
      paths.sent = await api.createTransaction(sent.body);
      paths.pending = await api.createTransaction(pending.body);
      expect((await api.post(`${paths.sent}/sms/tokens`)).status).toBe(201);
      // Accepted, and still to be sent: the provider takes it only at a later attempt.
      await inbox.planFailures({ channel: 'sms', kind: 'status', status: 500, times: 2 });
      expect((await api.post(`${paths.pending}/sms/tokens`)).status).toBe(201);
      await stack.stop('temporal');

      const backAgainAt = Date.now() + awayMs;
      while (Date.now() < backAgainAt) {
        const tails = ['', '/all', '/sms/2fa', '/emails/2fa', '/whatsapps/2fa'];
        reads.push(...(await Promise.all(tails.map((tail) => api.get(`${paths.sent}${tail}`)))));
        writes.push(
          ...(await Promise.all([
            api.post('/v1/transaction', { body: newPerson().body }),
            api.post(`${paths.sent}/emails/tokens`),
            api.post(`${paths.sent}/sms/tokens/validate`, { body: { value: '123456' } }),
          ])),
        );
        await pause(250);
      }
      await stack.start('temporal');
      const backAt = Date.now();
      const begin = async () => (await api.post('/v1/transaction', { body: newPerson().body })).status === 201;
      await waitUntil(begin, finishedWithinMs);
      againAfterMs = Date.now() - backAt;
      process.stdout.write(
        `  Temporal away: ${reads.length} reads, slowest ${slowest(reads)} ms; ` +
          `${writes.length} writes, slowest ${slowest(writes)} ms; begun again after ${againAfterMs} ms\n`,
      );
    }, 150_000);
    afterAll(() => getTestStack().inbox.clearFailures());

    it('every write was 503 within 2 s, with Retry-After', () => {
      for (const answer of writes) expectProblem(answer, 503, 'service_unavailable');
      expect(slowest(writes)).toBeLessThan(toldWithinMs);
    });

    it('every read came from the record', () => {
      const documented = reads.map(({ status, headers }) => [status, headers.get('x-countersign-source')]);
      expect(
        documented.filter(([status, source]) => !(status === 200 || status === 204) || source !== 'record'),
      ).toEqual([]);
      expect(slowest(reads)).toBeLessThan(toldWithinMs);
      expect(reads[1]?.body).toMatchObject({ smsToken: { status: 'Waiting' } });
    });

    it('transactions are created again as soon as it is back', () => {
      expect(againAfterMs).toBeLessThan(againWithinMs);
    });

    it('accepted requests finish afterwards', async () => {
      const { api, inbox } = getTestStack();
      await waitUntil(async () => (await inbox.messages(pending.phone)).length > 0, finishedWithinMs);
      for (const [person, path] of [
        [sent, paths.sent],
        [pending, paths.pending],
      ] as const) {
        const value = await inbox.code(person.phone, 'sms');
        const validate = () => api.post(`${path}/sms/tokens/validate`, { body: { value }, key: `after-${value}` });
        const answer = await retryWhileUnavailable(validate, finishedWithinMs);
        expect(answer).toMatchObject({ status: 200, body: { status: 'Valid' } });
      }
      // A doubled message would have come by then.
      await pause(5_000);
      expect(await inbox.messages(pending.phone)).toHaveLength(1);
      expect(await inbox.messages(sent.phone)).toHaveLength(1);
      // What was refused meanwhile did not happen.
      expect(await inbox.messages(sent.email)).toEqual([]);
      expect((await api.all(paths.sent)).smsToken).toMatchObject({ status: 'Valid' });
    }, 100_000);
  });
}
