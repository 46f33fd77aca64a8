import { performance } from 'node:perf_hooks';
import { escapeLiteral } from 'pg';
import { transactionStatuses } from '../../domain/transactions/status';
import { createLogger } from '../../platform/logger';
import { openPool, type Pool } from '../../platform/postgres/postgres';
import { asTenant } from '../../platform/postgres/tenant-scope';
import { listTransactions, type TransactionFilter } from '../../store/transactions/list-transactions.sql';
import { startBenchPostgres } from '../links/bench-postgres';
import { startProgressBar } from '../report/progress';
import { runInTurns } from '../report/run-in-turns';
import { median } from '../report/statistics';
import { formatNumber, formatTable } from '../report/table';

/** The options of the bench `lists`. */
export interface ListsPlan {
  /** Number of transactions in the database. */
  transactions: number;
  rounds: number;
}

/** The highest accepted ratio: the time of page 1,000, divided by the time of page 1. */
const ratioMax = 1.2;
const pageSize = 100;

/** The last transaction of a page. */
interface Position {
  at: string;
  id: string;
}

/** The number of the late page. If a list has fewer pages, the late page is the last full page of the list. */
const latePage = 1_000;
const tenant = 'acme';
const callsPerTurn = 100;

/** The hashes of phones. `frequent`: a fifth of all transactions have it. `rare`: one has it, in the middle. All others have one of their own. */
const phones = { frequent: '00000000-0000-4000-8000-000000000001', rare: '00000000-0000-4000-8000-000000000002' };

// The status changes from row to row, and each row is a second older than the row before. 1 % of the rows belong to another tenant. Half of
// the rows have a flow.
const loadSql = `
  with new as (
    select n, case when n % 100 = 0 then 'other' else $1 end as tenant, gen_random_uuid() as id, now() - n * interval '1 s' as at
    from generate_series($3::integer, $4::integer) n),
  saved as (
    insert into transactions (tenant, id, version, run_id, created_at, changed_at, status, flow)
    select tenant, id, 1, 'run', at, at, ($2::text[])[1 + n % cardinality($2::text[])],
      case when n % 2 = 0 then 'sms-token' end
    from new)
  insert into observations (circle, tenant, transaction_id, at, phone)
  select 'tenant/' || tenant, tenant, id, at,
    case when n = $5 then $7::uuid when n % 5 = 0 then $6::uuid else gen_random_uuid() end
  from new`;
/** Rows per insert statement. With many more rows, a statement would take longer than 5 s, and the pool would stop it. */
const rowsPerStatement = 20_000;

/** The filters of the lists. For each filter, page 1 is compared with the late page. */
const filters: Record<string, TransactionFilter> = {
  all: {},
  'one status': { status: 'Confirmed' },
  'one flow': { flow: 'sms-token' },
  'a frequent phone': { values: [{ kind: 'Phone', hash: phones.frequent }] },
};

/**
 * Measures the first page and a late page of lists of transactions, and prints the query plan of Postgres for the late page. Returns
 * whether the ratio of their times is within the limit for each filter.
 */
export async function runLists({ transactions, rounds }: ListsPlan, output: NodeJS.WriteStream): Promise<boolean> {
  output.write('Starting Postgres, and loading transactions …\n');
  const postgres = await startBenchPostgres();
  try {
    const pool = openPool(await postgres.createDatabase('lists'), createLogger('bench', 'silent'), 1);
    try {
      await load(pool, transactions, output);
      return await asTenant(tenant, () => measure(pool, { transactions, rounds }, output));
    } finally {
      await pool.end();
    }
  } finally {
    await postgres.stop();
  }
}

async function load(pool: Pool, transactions: number, output: NodeJS.WriteStream): Promise<void> {
  const updateProgress = startProgressBar(output, 'Loaded', transactions);
  for (let first = 1; first <= transactions; first += rowsPerStatement) {
    const last = Math.min(transactions, first + rowsPerStatement - 1);
    const rare = Math.floor(transactions / 2) + 1;
    await pool.query(loadSql, [tenant, transactionStatuses, first, last, rare, phones.frequent, phones.rare]);
    updateProgress(last);
  }
  await pool.query('set statement_timeout = 0');
  await pool.query('vacuum (analyze) transactions, observations');
}

/** The mean time of a page, in ms. `after`: see `listTransactions`. */
async function timeOf(pool: Pool, filter: TransactionFilter, after?: Position): Promise<number> {
  const startedAt = performance.now();
  for (let call = 0; call < callsPerTurn; call += 1)
    await listTransactions(pool, tenant, filter, { limit: pageSize, after });
  return (performance.now() - startedAt) / callsPerTurn;
}

async function measure(pool: Pool, { transactions, rounds }: ListsPlan, output: NodeJS.WriteStream) {
  const rows: string[][] = [];
  let passed = true;
  const compare = async (name: string, measureNow: () => Promise<number>, measureBefore: () => Promise<number>) => {
    const pairs = await runInTurns({ rounds, output, name }, measureNow, measureBefore);
    const ratio = median(pairs.map(({ now, before }) => now / before));
    passed &&= ratio <= ratioMax;
    const times = (['before', 'now'] as const).map((side) => formatNumber(median(pairs.map((pair) => pair[side]))));
    rows.push([name, ...times, formatNumber(ratio)]);
  };
  for (const [name, filter] of Object.entries(filters)) {
    const after = await positionOfPage(pool, filter, transactions);
    await compare(
      name,
      () => timeOf(pool, filter, after),
      () => timeOf(pool, filter),
    );
    output.write(`\nQuery plan of the late page, ${name}:\n${await explainPage(pool, filter, after)}\n`);
  }
  const rareFilter: TransactionFilter = { values: [{ kind: 'Phone', hash: phones.rare }] };
  await compare(
    'a rare phone, with page 1 of all',
    () => timeOf(pool, rareFilter),
    () => timeOf(pool, {}),
  );
  output.write(`\nQuery plan of a rare phone:\n${await explainPage(pool, rareFilter)}\n`);
  const header = [`list of ${transactions.toLocaleString('en')}`, 'page 1, ms', 'late page, ms', 'ratio'];
  output.write(`\n${formatTable(header, rows)}\n
The late page is page ${latePage.toLocaleString('en')}, or the last full one. Limit of the ratio: ${ratioMax}. ${passed ? 'Passed.' : 'FAILED.'}\n`);
  return passed;
}

/** The last transaction before the late page. */
async function positionOfPage(pool: Pool, filter: TransactionFilter, transactions: number): Promise<Position> {
  const offset = Math.min(
    (latePage - 1) * pageSize,
    Math.floor(transactions / transactionStatuses.length) - 2 * pageSize,
  );
  const rows = await listTransactions(pool, tenant, filter, { limit: offset });
  const last = rows.at(-1);
  if (!last) throw new Error('There are too few transactions.');
  return { at: last.createdAt.toISOString(), id: last.id };
}

/**
 * The query plan of Postgres for the first page, or for the page after a transaction. The statement is prepared, as in the API, because Postgres can choose
 * another plan for a statement that is not prepared.
 */
async function explainPage(pool: Pool, filter: TransactionFilter, after?: Position): Promise<string> {
  let plan: string[] = [];
  const explaining = {
    query: async (text: string, values: unknown[]) => {
      await pool.query(`prepare page as ${text}`);
      const parameters = values.map((value) => escapeLiteral(String(value))).join(', ');
      const { rows } = await pool.query<Record<string, string>>(
        `explain (analyze, buffers, timing off) execute page(${parameters})`,
      );
      await pool.query('deallocate page');
      plan = rows.flatMap((row) => Object.values(row));
      return { rows: [] };
    },
  };
  await listTransactions(explaining as unknown as Pool, tenant, filter, { limit: pageSize, after });
  return plan.map((line) => `  ${line}`).join('\n');
}
