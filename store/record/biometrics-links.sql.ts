import type { Biometrics } from '../../domain/biometrics/biometrics';
import type { TransactionState } from '../../domain/state';
import type { Pool } from '../../platform/postgres';

/** A link with the record of its transaction. */
export interface LinkWithState {
  state: TransactionState;
  biometricsId: string;
}

const linkSql = (where: string) => `
  select l.id as "biometricsId", t.state
  from biometrics_links l join transactions t on t.tenant = l.tenant and t.id = l.transaction_id
  where ${where}`;

/** The link of a token, in any tenant. */
export async function findLinkByToken(pool: Pool, tokenHash: string): Promise<LinkWithState | undefined> {
  return (await pool.query<LinkWithState>(linkSql('l.token_hash = $1'), [tokenHash])).rows[0];
}

/** A tenant's link by its id. */
export async function findLinkById(pool: Pool, tenant: string, id: string): Promise<LinkWithState | undefined> {
  return (await pool.query<LinkWithState>(linkSql('l.tenant = $1 and l.id = $2'), [tenant, id])).rows[0];
}

/** A link whose images wait for a decision, as in the record. */
export interface LinkInReview {
  transactionId: string;
  biometrics: Biometrics;
}

const inReviewSql = `
  select l.transaction_id as "transactionId",
    (select link from json_array_elements(t.state -> 'biometrics') as link where link ->> 'id' = l.id) as biometrics
  from biometrics_links l join transactions t on t.tenant = l.tenant and t.id = l.transaction_id
  where l.tenant = $1 and l.status = 'Processing' and (l.submitted_at, l.id) > ($2, $3)
  order by l.submitted_at, l.id limit $4`;

/** A tenant's links in review after a position, the longest waiting first. `submittedAt`: a time, or `-infinity`. */
export async function findLinksInReview(
  pool: Pool,
  tenant: string,
  { limit, after }: { limit: number; after: { submittedAt: string; id: string } },
): Promise<LinkInReview[]> {
  return (await pool.query<LinkInReview>(inReviewSql, [tenant, after.submittedAt, after.id, limit])).rows;
}
