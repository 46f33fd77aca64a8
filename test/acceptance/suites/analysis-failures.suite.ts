import { Client } from 'pg';
import type { GetTestStack } from '../support/test-stack';
import { expectProblem } from '../support/expect-problem';
import { retryWhileUnavailable } from '../support/retry-while-unavailable';
import { newPerson } from '../support/new-person';
import { waitUntil } from '../../support/wait-until';

const card = { bin: '411111', last4: '1111' };

/** Analyses during an internal error or an outage of Postgres. */
export function describeAnalysisFailures(getTestStack: GetTestStack): void {
  describe('a failed analysis', () => {
    const person = newPerson();
    let path = '';
    const rename = async (from: string, to: string) => {
      const client = new Client({ connectionString: getTestStack().stack.addresses.postgres });
      await client.connect();
      try {
        await client.query(`alter table observations rename column ${from} to ${to}`);
      } finally {
        await client.end();
      }
    };

    beforeAll(async () => {
      path = await getTestStack().api.createTransaction({ ...person.body, card });
      await getTestStack().api.getAll(path);
      // Every analysis searches the link graph for the postal code.
      await rename('zip_code', 'zip_code_away');
    });
    afterAll(() => rename('zip_code_away', 'zip_code'), 30_000);

    it.each(['insights', 'ratings', 'scores'])(
      'a failed analysis of POST %s returns 500 analysis_failed',
      async (suffix) => {
        const { api } = getTestStack();
        expectProblem(await api.post(`${path}/${suffix}`), 500, 'analysis_failed');
      },
    );

    it('a failed card check returns 500 analysis_failed', async () => {
      expectProblem(await getTestStack().api.get(`${path}/card-check`), 500, 'analysis_failed');
    });

    it('a failed analysis leaves the transaction usable', async () => {
      const { api, inbox } = getTestStack();
      const before = await api.getAll(path);
      expect(before.scores.map(({ reason }) => reason)).toEqual(['Initial']);
      expect((await api.post(`${path}/emails/tokens`)).status).toBe(201);
      const value = await inbox.waitForCode(person.email, 'email');
      const response = await api.post(`${path}/emails/tokens/validate`, { body: { value } });
      expect(response.status).toBe(200);
    });
  });

  describe('after a failed analysis', () => {
    it('a new transaction is assessed after a failed analysis', async () => {
      const { api } = getTestStack();
      const path = await api.createTransaction(newPerson().body);
      await waitUntil(async () => (await api.getAll(path)).scores.length === 1);
      expect((await api.post(`${path}/insights`)).status).toBe(200);
    });
  });

  describe('without Postgres', () => {
    let path = '';
    beforeAll(async () => {
      path = await getTestStack().api.createTransaction({ ...newPerson().body, card });
      await getTestStack().api.getAll(path);
      await getTestStack().stack.stop('postgres');
    });

    it('without Postgres, an analysis returns 503, and its retry with the same idempotency key succeeds after the outage', async () => {
      const { api, stack } = getTestStack();
      const sendRequest = () => api.post(`${path}/ratings`, { key: 'while-postgres-is-away' });
      expectProblem(await sendRequest(), 503, 'service_unavailable');
      await stack.start('postgres');
      const response = await retryWhileUnavailable(sendRequest, 30_000);
      expect(response.status).toBe(200);
      expect((response.body as object[]).length).toBeGreaterThan(0);
      expect((await api.post(`${path}/ratings`)).body).toEqual(response.body);
    });
  });
}
