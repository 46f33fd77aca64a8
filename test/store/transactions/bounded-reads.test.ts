import { escapeLiteral } from 'pg';
import type { Pool } from '../../../platform/postgres/postgres';
import { findFlows, findVersions } from '../../../store/flows/flow-versions.sql';
import { countedRunsMax, countEndedRuns, countRuns } from '../../../store/transactions/flow-runs.sql';
import { listTransactions } from '../../../store/transactions/list-transactions.sql';
import { useTestPool } from '../../support/test-pool';

let pool: Pool;
useTestPool((opened) => {
  pool = opened;
});

const tenant = 'acme';
const [flows, versions] = [4, 300];
const transactions = 20_000;

// A list must not read more blocks when the tenant has more data. Blocks are the same on every machine, unlike times.
beforeAll(async () => {
  // Texts of random digits cannot be compressed, so each definition has about eight blocks.
  await pool.query(
    `insert into flow_versions (tenant, name, version, definition, digest, created_by)
     select $1, 'flow-' || flow, version, json_build_object('title', 'Title ' || version, 'text',
       (select string_agg(md5(flow || '/' || version || '/' || n), '') from generate_series(1, 2000) n)), 'digest', 'test'
     from generate_series(1, $2::int) flow, generate_series(1, $3::int) version`,
    [tenant, flows, versions],
  );
  await pool.query(
    `insert into transactions (tenant, id, version, run_id, created_at, changed_at, status, flow, flow_outcome)
     select $1, gen_random_uuid(), 1, 'run', now() - n * interval '1 s', now(), 'Confirmed', 'flow-1',
       case when n = $2::int then 'Rare' else 'Confirmed' end
     from generate_series(1, $2::int) n`,
    [tenant, transactions],
  );
  await pool.query('analyze flow_versions, transactions');
});

/** How many blocks of 8 kB Postgres reads for the statement of `read`, from its memory or from disk. */
async function blocksOf(read: (database: Pool) => Promise<unknown>): Promise<number> {
  let blocks = NaN;
  const explaining = {
    query: async (text: string, values: readonly unknown[]) => {
      const written = text.replaceAll(/\$(\d+)/g, (_, place: string) =>
        escapeLiteral(String(values[Number(place) - 1])),
      );
      const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `explain (analyze, buffers, format json) ${written}`,
      );
      const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
      blocks = (plan['Shared Hit Blocks'] ?? NaN) + (plan['Shared Read Blocks'] ?? NaN);
      return { rows: [] };
    },
  };
  await read(explaining as unknown as Pool);
  return blocks;
}

test('a list of flows reads one version of each flow, and no definition', async () => {
  const listed = await findFlows(pool, tenant, { after: '', limit: 100 });
  expect(listed.map(({ name, newest, title }) => [name, newest, title])).toEqual(
    Array.from({ length: flows }, (_, index) => [`flow-${index + 1}`, versions, `Title ${versions}`]),
  );
  expect(await blocksOf((database) => findFlows(database, tenant, { after: '', limit: 100 }))).toBeLessThan(20 * flows);
});

test('a list of versions reads no definition', async () => {
  const flow = { tenant, name: 'flow-1' };
  expect(await findVersions(pool, flow, { limit: 1 })).toMatchObject([
    { version: versions, title: `Title ${versions}` },
  ]);
  expect(await blocksOf((database) => findVersions(database, flow, { limit: 100 }))).toBeLessThan(200);
});

test('a list of a rare outcome reads only the transactions with this outcome', async () => {
  const list = (database: Pool, outcome: string) => listTransactions(database, tenant, { outcome }, { limit: 100 });
  expect(await list(pool, 'Rare')).toHaveLength(1);
  for (const outcome of ['Rare', 'Unknown'])
    expect(await blocksOf((database) => list(database, outcome))).toBeLessThan(50);
});

const phone = 'aaaaaaaa-0000-4000-8000-000000000000';
const ofPhone = { values: [{ kind: 'Phone' as const, hash: phone }] };

test('a list of a phone that most transactions have reads about one page, on every page', async () => {
  await pool.query(
    `insert into observations (circle, tenant, transaction_id, at, phone)
     select 'tenant/' || tenant, tenant, id, created_at, $2 from transactions where tenant = $1`,
    [tenant, phone],
  );
  await pool.query('analyze observations');
  const before = await listTransactions(pool, tenant, ofPhone, { limit: transactions / 2 });
  const last = before.at(-1);
  const after = last && { at: last.createdAt.toISOString(), id: last.id };
  const page = { limit: 100 };
  expect(await blocksOf((database) => listTransactions(database, tenant, ofPhone, page))).toBeLessThan(1_000);
  expect(await blocksOf((database) => listTransactions(database, tenant, ofPhone, { ...page, after }))).toBeLessThan(
    1_000,
  );
});

test('pages of a phone have each transaction once, even if many were created at the same moment', async () => {
  const other = 'other-tenant';
  await pool.query(
    `with created as (
       insert into transactions (tenant, id, version, run_id, created_at, changed_at, status)
       select $1, gen_random_uuid(), 1, 'run', date_trunc('second', now()) - (n / 7) * interval '1 s', now(), 'Confirmed'
       from generate_series(0, 20) n returning id, created_at)
     insert into observations (circle, tenant, transaction_id, at, phone)
     select 'tenant/' || $1, $1, id, created_at, $2 from created`,
    [other, phone],
  );
  const all = await listTransactions(pool, other, ofPhone, { limit: 100 });
  const pages: typeof all = [];
  for (;;) {
    const last = pages.at(-1);
    const after = last && { at: last.createdAt.toISOString(), id: last.id };
    const page = await listTransactions(pool, other, ofPhone, { limit: 4, after });
    if (page.length === 0) break;
    pages.push(...page);
  }
  expect(all).toHaveLength(21);
  expect(pages).toEqual(all);
});

test('counts have the newest flow runs up to their limit, and say since when', async () => {
  const olderRuns = 100;
  // Each flow run is a millisecond older than the one before.
  await pool.query(
    `with owner as (select id from transactions where tenant = $1 limit 1),
       added as (
         insert into flow_runs (id, tenant, transaction_id, flow, version, status, step, outcome, path, started_at, ended_at)
         select 'run-' || n, $1, owner.id, 'flow-1', 1, 'Completed', 'end', 'Confirmed', '[{"step": "end"}]',
           now() - n * interval '1 ms', date_trunc('day', now() at time zone 'utc') at time zone 'utc' + n * interval '1 us'
         from owner, generate_series(1, $2::int) n returning id, started_at)
     insert into flow_run_steps (run_id, tenant, flow, version, step, started_at)
     select id, $1, 'flow-1', 1, 'end', started_at from added`,
    [tenant, countedRunsMax + olderRuns],
  );
  const { rows } = await pool.query<{ since: Date }>(`select started_at as since from flow_runs where id = $1`, [
    `run-${countedRunsMax}`,
  ]);
  const flow = { tenant, name: 'flow-1' };
  const steps = ['start', 'end'];
  const newest = await countRuns(pool, flow, { version: 1, steps, since: new Date(0) });
  expect(newest).toEqual({
    since: rows[0]?.since,
    runs: countedRunsMax,
    canceled: 0,
    current: {},
    entered: { end: countedRunsMax },
    outcomes: { Confirmed: countedRunsMax },
  });
  const [today] = await countEndedRuns(pool, flow, 1);
  expect(today?.outcomes).toEqual({ Confirmed: countedRunsMax });
});
