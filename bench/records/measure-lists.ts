import { performance } from 'node:perf_hooks';
import { escapeLiteral } from 'pg';
import { transactionStatuses } from '../../domain/transactions/status';
import type { Pool } from '../../platform/postgres/postgres';
import { listTransactions, type TransactionFilter } from '../../store/transactions/list-transactions.sql';
import { listDeliveries } from '../../store/webhooks/webhook-deliveries.sql';
import { runInTurns } from '../report/run-in-turns';
import { median } from '../report/statistics';
import { formatNumber, formatTable } from '../report/table';
import { phones, tenant, webhookId } from './load-records';

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
const callsPerTurn = 100;

/** The filters of the lists. For each filter, page 1 is compared with the late page. */
const filters: Record<string, TransactionFilter> = {
  all: {},
  'one status': { status: 'Confirmed' },
  'one flow': { flow: 'sms-token' },
  'a frequent phone': { values: [{ kind: 'Phone', hash: phones.frequent }] },
};

/** The mean time of a page, in ms. `after`: see `listTransactions`. */
async function timeOf(pool: Pool, filter: TransactionFilter, after?: Position): Promise<number> {
  const startedAt = performance.now();
  for (let call = 0; call < callsPerTurn; call += 1)
    await listTransactions(pool, tenant, filter, { limit: pageSize, after });
  return (performance.now() - startedAt) / callsPerTurn;
}

/**
 * Measures the first page and a late page of lists, and prints the query plan of Postgres for the late page. Returns whether the ratio of
 * their times is within the limit for each list.
 */
export async function measureLists(
  pool: Pool,
  { transactions, rounds }: { transactions: number; rounds: number },
  output: NodeJS.WriteStream,
): Promise<boolean> {
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
  const delivered = await positionOfDelivery(pool, transactions);
  await compare(
    'deliveries of a webhook',
    () => timeOfDeliveries(pool, delivered),
    () => timeOfDeliveries(pool),
  );
  const header = [`list of ${transactions.toLocaleString('en')}`, 'page 1, ms', 'late page, ms', 'ratio'];
  output.write(`\n${formatTable(header, rows)}\n
The late page is page ${latePage.toLocaleString('en')}, or the last full one. Limit of the ratio: ${ratioMax}. ${passed ? 'Passed.' : 'FAILED.'}\n`);
  return passed;
}

/** The mean time of a page of the deliveries of a webhook, in ms. */
async function timeOfDeliveries(pool: Pool, after?: Position): Promise<number> {
  const startedAt = performance.now();
  for (let call = 0; call < callsPerTurn; call += 1)
    await listDeliveries(pool, { tenant, webhookId }, { limit: pageSize, after });
  return (performance.now() - startedAt) / callsPerTurn;
}

/** The last delivery before the late page. */
async function positionOfDelivery(pool: Pool, transactions: number): Promise<Position> {
  const limit = Math.min((latePage - 1) * pageSize, transactions - 2 * pageSize);
  const last = (await listDeliveries(pool, { tenant, webhookId }, { limit })).at(-1);
  if (!last) throw new Error('There are too few deliveries.');
  return { at: last.createdAt.toISOString(), id: last.id };
}

/** The last transaction before the late page. */
async function positionOfPage(pool: Pool, filter: TransactionFilter, transactions: number): Promise<Position> {
  const offset = Math.min(
    (latePage - 1) * pageSize,
    // 1 % of the transactions belong to another tenant.
    Math.floor((transactions * 0.99) / transactionStatuses.length) - 2 * pageSize,
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
