import { randomUUID } from 'node:crypto';
import { transactionStatuses } from '../../domain/transactions/status';
import type { Client } from 'pg';
import { startProgressBar } from '../report/progress';

/** The tenant of 99 % of the transactions. */
export const tenant = 'acme';
/** The webhook that got all events of the tenant. */
export const webhookId = randomUUID();
/** The hashes of phones. `frequent`: a fifth of all transactions have it. `rare`: one has it, in the middle. All others have one of their own. */
export const phones = {
  frequent: '00000000-0000-4000-8000-000000000001',
  rare: '00000000-0000-4000-8000-000000000002',
};
/** The age of the oldest transaction, in days. The retention erases those that are older than 180 days: one in 61. */
const daysOfOldest = 183;

// The status changes from row to row, and each row is newer than the row before, with an id that begins with its time (UUIDv7), as in
// production. 1 % of the rows belong to another tenant. Half of the rows have a flow. A state has 64 bytes: Postgres keeps a real one apart
// from its row (TOAST), and lists do not read it.
const loadSql = `
  with numbered as (
    select n, case when n % 100 = 0 then 'other' else $1 end as tenant, now() - ($10 - n) * $8::float8 * interval '1 s' as at,
      md5(random()::text) as random
    from generate_series($3::integer, $4::integer) n),
  timed as (select *, lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') as ms from numbered),
  new as (
    select n, tenant, at, substr(ms, 1, 8) || '-' || substr(ms, 9) || '-7' || substr(random, 1, 3) || '-8' || substr(random, 4, 3)
      || '-' || substr(random, 7, 12) as id
    from timed),
  saved as (
    insert into transactions (tenant, id, version, run_id, sealed, created_at, changed_at, status, flow)
    select tenant, id, 1, 'run', decode(repeat(md5(id), 4), 'hex'), at, at, ($2::text[])[1 + n % cardinality($2::text[])],
      case when n % 2 = 0 then 'sms-token' end
    from new),
  keys as (
    insert into data_keys (tenant, owner, purpose, key_id, wrapped, document_hash, created_at)
    select tenant, id, 'transaction', 'bench', decode(repeat(md5(id), 4), 'hex'), gen_random_uuid(), at from new),
  events as (
    insert into transaction_events (tenant, transaction_id, sequence, key, type, at, status, data)
    select tenant, id, 1, 'transaction.created', 'transaction.created', at, 'Open', '{}' from new),
  deliveries as (
    insert into webhook_deliveries (webhook_id, tenant, transaction_id, sequence, type, state, attempts, next_attempt_at, give_up_at,
      last_attempt_at, response_status, created_at)
    select $9, tenant, id, 1, 'transaction.created', 'Delivered', 1, at, at, at, 200, at from new where tenant = $1)
  insert into observations (circle, tenant, transaction_id, at, document, phone)
  select 'tenant/' || tenant, tenant, id, at, gen_random_uuid(),
    case when n = $5 then $7::uuid when n % 5 = 0 then $6::uuid else gen_random_uuid() end
  from new`;
/** Rows per insert statement, for a steady progress bar. */
const rowsPerStatement = 5_000;

/** The tables with one row for each transaction. */
export const tables = ['transactions', 'data_keys', 'transaction_events', 'webhook_deliveries', 'observations'];

/** Loads transactions, each with its data key, an event that a webhook got, and its observation. */
export async function loadRecords(client: Client, transactions: number, output: NodeJS.WriteStream): Promise<void> {
  await client.query(`insert into webhooks (id, tenant, url, events) values ($1, $2, 'https://acme.example', '{*}')`, [
    webhookId,
    tenant,
  ]);
  const updateProgress = startProgressBar(output, 'Loaded', transactions);
  const secondsApart = (daysOfOldest * 86_400) / transactions;
  for (let first = 1; first <= transactions; first += rowsPerStatement) {
    const last = Math.min(transactions, first + rowsPerStatement - 1);
    const rare = Math.floor(transactions / 2) + 1;
    const hashes = [rare, phones.frequent, phones.rare];
    await client.query(loadSql, [
      tenant,
      transactionStatuses,
      first,
      last,
      ...hashes,
      secondsApart,
      webhookId,
      transactions,
    ]);
    updateProgress(last);
  }
  await client.query(`vacuum (analyze) ${tables.join(', ')}`);
}
