import { Client } from 'pg';
import { observationOf } from '../../store/transactions/observed-values';
import { type Observation, observedKinds } from '../../domain/scoring/evidence';
import { scopeStatement } from '../../platform/postgres/tenant-pool';
import { allTenants } from '../../platform/postgres/tenant-scope';
import { benchKeys } from './bench-keys';
import {
  type Population,
  populationTenant,
  type PopulationTransaction,
  generateTransactions,
} from '../population/population';

/**
 * Transactions per insert statement. With fewer, most of the time would go to round trips to Postgres. With many more, Node would need much
 * memory.
 */
const batchSize = 2_000;

/** The column of each observed kind of data, in snake case: `ZipCode` is in the column `zip_code`. */
const columns = observedKinds.map((dataKind) => dataKind.replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase());

const observationsSql = `
  insert into observations (circle, tenant, transaction_id, at, phone_confirmed, email_confirmed, denied, ${columns.join(', ')})
  select $1, $2, * from unnest($3::text[], $4::timestamptz[], $5::boolean[], $6::boolean[], $7::boolean[],
    ${columns.map((_, index) => `$${index + 8}::uuid[]`).join(', ')})`;

// The bench reads the rows of `transactions` only by id, so the other columns stay empty.
const recordsSql = `
  insert into transactions (tenant, id, version)
  select $1, id, 1 from unnest($2::text[]) as new (id)`;

async function insertBatch(client: Client, transactions: readonly PopulationTransaction[]): Promise<void> {
  // A circle is a group of tenants that see the same observations. Here, it has only one tenant.
  const circle = `tenant/${populationTenant}`;
  const observations: Observation[] = transactions.map(({ transaction }) =>
    observationOf(benchKeys, transaction, circle),
  );
  const ids = transactions.map(({ transaction }) => transaction.id);
  const flags = (fact: keyof PopulationTransaction['facts']) => transactions.map((one) => one.facts[fact]);
  const values = observedKinds.map((dataKind) => observations.map((one) => one.values[dataKind] ?? null));
  const times = transactions.map(({ transaction }) => transaction.createdAt);
  await client.query(observationsSql, [
    circle,
    populationTenant,
    ids,
    times,
    flags('phone'),
    flags('email'),
    flags('denied'),
    ...values,
  ]);
  await client.query(recordsSql, [populationTenant, ids]);
}

function* batchesOf(population: Population): Generator<PopulationTransaction[]> {
  let batch: PopulationTransaction[] = [];
  for (const transaction of generateTransactions(population)) {
    batch.push(transaction);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Drops the indexes that only serve queries. Returns the statements that recreate them. */
async function dropIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'observations' and indexname <> 'observations_pkey'`);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

/** `indexSeconds`: the time for the indexes, the vacuum and the checkpoint. */
export interface LoadTimes {
  insertSeconds: number;
  indexSeconds: number;
}

/**
 * Fills an empty database with the observations of a population. Their values are hashed as in the service. Creates the indexes after the
 * rows, which is many times faster. At the end, vacuums and analyzes the tables, and writes everything to disk. `onProgress` gets the
 * number of transactions so far.
 */
export async function loadGraph(
  url: string,
  population: Population,
  onProgress: (count: number) => void,
): Promise<LoadTimes> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(scopeStatement(allTenants));
    const startedAt = Date.now();
    const indexes = await dropIndexes(client);
    let insertedCount = 0;
    let pendingInsert: Promise<void> = Promise.resolve();
    for (const batch of batchesOf(population)) {
      await pendingInsert;
      // Postgres writes this batch while the next one is generated.
      pendingInsert = insertBatch(client, batch);
      onProgress((insertedCount += batch.length));
    }
    await pendingInsert;
    const insertedAt = Date.now();
    for (const definition of indexes) await client.query(definition);
    await client.query('vacuum (analyze)');
    await client.query('checkpoint');
    return { insertSeconds: (insertedAt - startedAt) / 1_000, indexSeconds: (Date.now() - insertedAt) / 1_000 };
  } finally {
    await client.end();
  }
}
