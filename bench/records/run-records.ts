import { performance } from 'node:perf_hooks';
import { Client } from 'pg';
import { createLogger } from '../../platform/logger';
import { openPool, type Pool } from '../../platform/postgres/postgres';
import { scopeStatement } from '../../platform/postgres/tenant-pool';
import { allTenants, asTenant } from '../../platform/postgres/tenant-scope';
import { findEvents } from '../../store/transactions/transaction-events.sql';
import { findDueDeliveries } from '../../store/webhooks/webhook-deliveries.sql';
import { startBenchPostgres } from '../links/bench-postgres';
import { formatNumber, formatTable } from '../report/table';
import { loadRecords, tenant, webhookId } from './load-records';
import { measureLists } from './measure-lists';
import { measureRetention, measureSizes } from './measure-retention';

/** The options of the bench `records`. */
export interface RecordsPlan {
  /** Number of transactions in the database. */
  transactions: number;
  rounds: number;
  /** For how long expired transactions are erased. */
  retentionSeconds: number;
}

const readsPerMeasurement = 500;

/** Measures lists, searches, events, deliveries and the retention with many records. Returns whether all limits hold. */
export async function runRecords(plan: RecordsPlan, output: NodeJS.WriteStream): Promise<boolean> {
  output.write('Starting Postgres, and loading transactions …\n');
  const postgres = await startBenchPostgres();
  try {
    const address = await postgres.createDatabase('records');
    const pool = openPool(address, createLogger('bench', 'silent'), 1);
    // Without the time limits of the pool.
    const client = new Client({ connectionString: address });
    await client.connect();
    await client.query(scopeStatement(allTenants));
    try {
      await loadRecords(client, plan.transactions, output);
      await measureSizes(pool, plan.transactions, output);
      const listsPassed = await asTenant(tenant, () => measureLists(pool, plan, output));
      await asTenant(tenant, () => measureReads(pool, output));
      return (await measureRetention(pool, client, plan.retentionSeconds, output)) && listsPassed;
    } finally {
      await client.end();
      await pool.end();
    }
  } finally {
    await postgres.stop();
  }
}

/** Prints the mean times of reads that concern one transaction, or what is due. */
async function measureReads(pool: Pool, output: NodeJS.WriteStream): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    'select id from transactions tablesample system (1) where tenant = $1 limit $2',
    [tenant, readsPerMeasurement],
  );
  const timeOf = async (read: (id: string) => Promise<unknown>) => {
    const startedAt = performance.now();
    for (const { id } of rows) await read(id);
    return formatNumber((performance.now() - startedAt) / rows.length);
  };
  const times = [
    ['events of a transaction', await timeOf((id) => findEvents(pool, { tenant, id }, { after: 0, limit: 100 }))],
    ['due deliveries, if there are none', await timeOf(() => findDueDeliveries(pool, { tenant, webhookId }, 100))],
  ];
  output.write(`\n${formatTable(['read', 'ms'], times)}\n`);
}
