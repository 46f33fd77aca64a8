import { performance } from 'node:perf_hooks';
import type { Client } from 'pg';
import { createExpiry, readRetentionDays } from '../../activities/privacy/erase-expired';
import { createLogger } from '../../platform/logger';
import type { Pool } from '../../platform/postgres/postgres';
import { startProgressBar } from '../report/progress';
import { formatNumber, formatTable } from '../report/table';
import { tables } from './load-records';

/** So many transactions a day must be erased if so many are created. */
const perDay = 1_000_000;
const secondsPerDay = 86_400;

const sizesSql = `
  select name, pg_table_size(name) as heap, pg_indexes_size(name) as indexes from unnest($1::regclass[]::text[]) as name`;

/** Prints the size of each table and of its indexes, per transaction. */
export async function measureSizes(pool: Pool, transactions: number, output: NodeJS.WriteStream): Promise<void> {
  const { rows } = await pool.query<{ name: string; heap: string; indexes: string }>(sizesSql, [tables]);
  const toRow = ({ name, heap, indexes }: (typeof rows)[number]) => [
    name,
    ...[heap, indexes].map((bytes) => formatNumber(Number(bytes) / transactions, 0)),
    formatNumber((Number(heap) + Number(indexes)) / 1e9, 1),
  ];
  output.write(`\n${formatTable(['table', 'row, bytes', 'indexes, bytes', 'all, GB'], rows.map(toRow))}\n`);
}

/**
 * Erases expired transactions for a while, as the retention does, and then vacuums. `client`: for the vacuum, which takes longer than the pool
 * allows. Without Temporal, whose workflows are gone after half a year. Returns whether the retention keeps up with a million transactions a day.
 */
export async function measureRetention(
  pool: Pool,
  client: Client,
  seconds: number,
  output: NodeJS.WriteStream,
): Promise<boolean> {
  const eraseExpired = createExpiry({
    pool,
    transactionKeys: { forget: () => undefined },
    erasureLog: { append: async () => undefined },
    endWorkflow: async () => false,
    askTemporal: async () => undefined,
    retentionDays: readRetentionDays('{}'),
    logger: createLogger('bench', 'silent'),
    signal: () => new AbortController().signal,
  });
  const updateProgress = startProgressBar(output, 'Erasing, s', seconds);
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1_000;
  let erased = 0;
  while (elapsed() < seconds) {
    const { transactions } = await eraseExpired({ skip: [] });
    if (transactions === 0) break;
    erased += transactions;
    updateProgress(Math.min(seconds, Math.floor(elapsed())));
  }
  const perSecond = erased / elapsed();
  const passed = perSecond >= perDay / secondsPerDay;
  output.write(
    `\nErased ${erased.toLocaleString('en')} expired transactions, ${formatNumber(perSecond, 0)} per second, which is ` +
      `${formatNumber((perSecond * secondsPerDay) / perDay)} million a day. Limit: ${perDay / 1e6} million. ${passed ? 'Passed.' : 'FAILED.'}\n`,
  );
  const times: string[][] = [];
  for (const table of tables) {
    const vacuumedAt = performance.now();
    await client.query(`vacuum ${table}`);
    times.push([table, formatNumber((performance.now() - vacuumedAt) / 1_000)]);
  }
  output.write(`\n${formatTable(['vacuum after it', 's'], times)}\n`);
  return passed;
}
