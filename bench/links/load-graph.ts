import { Client } from 'pg';
import { observationOf } from '../../activities/scoring/observation-of';
import { linkVariables } from '../../domain/scoring/evidence';
import type { Observation } from '../../domain/scoring/observation';
import { benchKeys } from './bench-keys';
import { type Population, tenant, type Visit, visitsOf } from '../population/population';

/** Enough that a round trip weighs nothing, and little beside what Node holds anyway. */
const batchSize = 2_000;

const columns = linkVariables.map((variable) => variable.replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase());

const sightingsSql = `
  insert into sightings (circle, tenant, transaction_id, at, phone_confirmed, email_confirmed, denied, ${columns.join(', ')})
  select $1, $2, * from unnest($3::text[], $4::timestamptz[], $5::boolean[], $6::boolean[], $7::boolean[],
    ${columns.map((_, index) => `$${index + 8}::uuid[]`).join(', ')})`;

// Records are looked up by their id alone, so what else they hold may be left out.
const recordsSql = `
  insert into transactions (tenant, id, version, state)
  select $1, id, 1, '{"facts":{}}' from unnest($2::text[]) as made (id)`;

async function insertBatch(client: Client, visits: readonly Visit[]): Promise<void> {
  const circle = `tenant/${tenant}`;
  const sightings: Observation[] = visits.map(({ transaction }) => observationOf(benchKeys, transaction, circle));
  const ids = visits.map(({ transaction }) => transaction.id);
  const told = (fact: keyof Visit['told']) => visits.map((visit) => visit.told[fact]);
  const values = linkVariables.map((variable) => sightings.map((one) => one.values[variable] ?? null));
  const times = visits.map(({ transaction }) => transaction.createdAt);
  await client.query(sightingsSql, [
    circle,
    tenant,
    ids,
    times,
    told('phone'),
    told('email'),
    told('denied'),
    ...values,
  ]);
  await client.query(recordsSql, [tenant, ids]);
}

function* batchesOf(population: Population): Generator<Visit[]> {
  let batch: Visit[] = [];
  for (const visit of visitsOf(population)) {
    batch.push(visit);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The indexes that only serve looks, as statements that make them again. */
async function dropIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'sightings' and indexname <> 'sightings_pkey'`);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}

export interface Load {
  insertSeconds: number;
  indexSeconds: number;
}

/**
 * Fills an empty database with the graph that a population leaves, by the hashes of the product. Its indexes are made
 * after the rows: the same ones, many times faster. Ends with everything vacuumed, analyzed and on disk.
 */
export async function loadGraph(url: string, population: Population, onDone: (count: number) => void): Promise<Load> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const begun = Date.now();
    const indexes = await dropIndexes(client);
    let done = 0;
    let writing: Promise<void> = Promise.resolve();
    for (const batch of batchesOf(population)) {
      await writing;
      // Postgres writes this one while the next is made.
      writing = insertBatch(client, batch);
      onDone((done += batch.length));
    }
    await writing;
    const inserted = Date.now();
    for (const definition of indexes) await client.query(definition);
    await client.query('vacuum (analyze)');
    await client.query('checkpoint');
    return { insertSeconds: (inserted - begun) / 1_000, indexSeconds: (Date.now() - inserted) / 1_000 };
  } finally {
    await client.end();
  }
}
