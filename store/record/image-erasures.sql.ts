import { imagesErasedEvent } from '../../domain/events/events-of';
import type { PoolClient } from '../../platform/postgres/postgres';
import { addDeliveriesSql, announceDeliveriesSql } from '../webhooks/webhook-deliveries.sql';
import type { TenantTransaction } from './erased-records.sql';
import { addEventsSql, announceNewEventsSql } from './transaction-events.sql';

// Locks the row first, in a statement of its own. So the next statement sees the events of a record that was saved just before, and gives
// its own events the next numbers.
const lockSql = `
  select version from transactions where tenant = $1 and id = $2 and erased_at is null and status is not null
  for no key update`;

const addSql = `
  with saved as (select tenant, id, status from transactions where tenant = $1 and id = $2 and version = $3),
    events as (${addEventsSql}), deliveries as (${addDeliveriesSql})
  select (${announceNewEventsSql}), (${announceDeliveriesSql}) from saved`;

/**
 * Adds the events of links whose images were erased after their retention time, and their deliveries to webhooks. The record does not
 * change: its workflow may have closed long ago, and a change would restart the retention time of the transaction. If the record already
 * has the erasure of a link, adds no second event. Must run in the database transaction that erases the images.
 */
export async function addImageErasures(
  client: PoolClient,
  { tenant, id }: TenantTransaction,
  links: readonly string[],
  at: Date,
): Promise<void> {
  const [row] = (await client.query<{ version: number }>(lockSql, [tenant, id])).rows;
  if (!row) return;
  const events = links.map((link) => imagesErasedEvent(link, at.toISOString()));
  await client.query(addSql, [tenant, id, row.version, JSON.stringify({ events })]);
}
