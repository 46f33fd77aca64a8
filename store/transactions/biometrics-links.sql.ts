import type { Biometrics } from '../../domain/biometrics/biometrics';
import type { TransactionState } from '../../domain/transactions/state';
import { eachRow } from '../../platform/each-row';
import { pageOf } from '../../platform/page';
import type { Logger } from '../../platform/logger';
import type { Pool, PoolClient } from '../../platform/postgres/postgres';
import { type RecordKeys, type SealedState, unsealState } from './transactions.sql';
import { imagesErasedEvent } from '../../domain/events/events-of';
import { addDeliveriesSql, announceDeliveriesSql } from '../webhooks/webhook-deliveries.sql';
import type { TenantTransaction } from './erased-records.sql';
import { addEventsSql, announceNewEventsSql } from './transaction-events.sql';

/** A link with the record of its transaction. */
export interface LinkWithState {
  state: TransactionState;
  biometricsId: string;
}

const linkSql = (where: string) => `
  select l.id as "biometricsId", l.submitted_at as "submittedAt", t.tenant, t.id, t.version, t.sealed
  from biometrics_links l join transactions t on t.tenant = l.tenant and t.id = l.transaction_id
  where ${where}`;

type LinkRow = SealedState & { biometricsId: string; submittedAt: Date | null };

async function findLink(pool: Pool, keys: RecordKeys, where: string, values: string[]) {
  const [link] = (await pool.query<LinkRow>(linkSql(where), values)).rows;
  if (!link) return undefined;
  const { biometricsId, submittedAt: _submittedAt, ...row } = link;
  return { biometricsId, state: await unsealState(keys, row) };
}

/** The link whose URL has the token with this hash, of any tenant. */
export function findLinkByToken(pool: Pool, keys: RecordKeys, tokenHash: string): Promise<LinkWithState | undefined> {
  return findLink(pool, keys, 'l.token_hash = $1', [tokenHash]);
}

/** A tenant's link by its id. */
export function findLinkById(
  pool: Pool,
  keys: RecordKeys,
  tenant: string,
  id: string,
): Promise<LinkWithState | undefined> {
  return findLink(pool, keys, 'l.tenant = $1 and l.id = $2', [tenant, id]);
}

/** A link whose images wait for a decision, as saved in the record of its transaction. */
export interface LinkInReview {
  transactionId: string;
  biometrics: Biometrics;
}

const inReviewSql = `${linkSql(`l.tenant = $1 and l.status = 'Processing' and (l.submitted_at, l.id) > ($2, $3)`)}
  order by l.submitted_at, l.id limit $4`;

/** A position in the list of links in review. `at`: when the link was submitted, in ISO 8601. */
interface ReviewPosition {
  at: string;
  id: string;
}

/** A page of links in review. `next`: the last position of this page, if there are more links. */
export interface ReviewPage {
  reviews: LinkInReview[];
  next?: ReviewPosition;
}

/** Links that are decrypted at the same time. A key that is not in memory needs a query. */
const concurrency = 5;

/**
 * A tenant's links in review, oldest submission first. `after`: the `next` of the previous page. A link whose record cannot be opened is
 * left out of its page and logged.
 */
export async function findLinksInReview(
  pool: Pool,
  keys: RecordKeys,
  logger: Logger,
  tenant: string,
  { limit, after = { at: '-infinity', id: '' } }: { limit: number; after?: ReviewPosition },
): Promise<ReviewPage> {
  const { rows: found } = await pool.query<LinkRow>(inReviewSql, [tenant, after.at, after.id, limit + 1]);
  const open = async ({ biometricsId, submittedAt: _submittedAt, ...row }: LinkRow): Promise<LinkInReview[]> => {
    const state = await unsealState(keys, row);
    const biometrics = state.biometrics?.find(({ id }) => id === biometricsId);
    return biometrics ? [{ transactionId: row.id, biometrics }] : [];
  };
  const { rows, last } = pageOf(found, limit);
  const { results } = await eachRow(rows, open, {
    task: 'list reviews',
    idsOf: ({ id, biometricsId }) => ({ tenant, transactionId: id, biometricsId }),
    logger,
    concurrency,
  });
  const next = last?.submittedAt ? { next: { at: last.submittedAt.toISOString(), id: last.biometricsId } } : {};
  return { reviews: results.flat(), ...next };
}

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
