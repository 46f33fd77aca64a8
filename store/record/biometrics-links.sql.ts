import type { Biometrics } from '../../domain/biometrics/biometrics';
import type { TransactionState } from '../../domain/state';
import type { Pool } from '../../platform/postgres';
import { type RecordKeys, type SealedState, unsealState } from './sealed-state';

/** A link with the record of its transaction. */
export interface LinkWithState {
  state: TransactionState;
  biometricsId: string;
}

const linkSql = (where: string) => `
  select l.id as "biometricsId", t.tenant, t.id, t.version, t.sealed
  from biometrics_links l join transactions t on t.tenant = l.tenant and t.id = l.transaction_id
  where ${where}`;

type LinkRow = SealedState & { biometricsId: string };

async function findLink(pool: Pool, keys: RecordKeys, where: string, values: string[]) {
  const [link] = (await pool.query<LinkRow>(linkSql(where), values)).rows;
  if (!link) return undefined;
  const { biometricsId, ...row } = link;
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

/** A tenant's links in review, oldest submission first. `after`: the last link of the previous page. `at`: when it was submitted. */
export async function findLinksInReview(
  pool: Pool,
  keys: RecordKeys,
  tenant: string,
  { limit, after = { at: '-infinity', id: '' } }: { limit: number; after?: { at: string; id: string } },
): Promise<LinkInReview[]> {
  const { rows } = await pool.query<LinkRow>(inReviewSql, [tenant, after.at, after.id, limit]);
  const links = rows.map(async ({ biometricsId, ...row }) => {
    const state = await unsealState(keys, row);
    const biometrics = state.biometrics?.find(({ id }) => id === biometricsId);
    return biometrics ? [{ transactionId: row.id, biometrics }] : [];
  });
  return (await Promise.all(links)).flat();
}
