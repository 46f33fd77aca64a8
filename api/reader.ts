import type { TransactionState } from '../domain/state';
import type { Pool } from '../platform/postgres';
import type { ReviewPlace, Target, WaitingReview } from './transactions';

/** Reads records, of one tenant only. */
export interface Reader {
  /** The last kept state of a transaction; undefined when there is no record. */
  state(target: Target): Promise<TransactionState | undefined>;
  /** The record of the transaction that has a link, and the id of that link. */
  link(by: { tokenHash: string } | { tenant: string; id: string }): Promise<FoundLink | undefined>;
  /** Links whose images await a decision, the longest waiting first. */
  reviews(tenant: string, page: { limit: number; after?: ReviewPlace }): Promise<WaitingReview[]>;
}

export interface FoundLink {
  state: TransactionState;
  biometricsId: string;
}

const linkSql = `
  select l.id as "biometricsId", t.state
  from biometrics_links l join transactions t on t.tenant = l.tenant and t.id = l.transaction_id`;

const reviewsSql = `
  select l.transaction_id as "transactionId",
    (select link from json_array_elements(t.state -> 'biometrics') as link where link ->> 'id' = l.id) as biometrics
  from biometrics_links l join transactions t on t.tenant = l.tenant and t.id = l.transaction_id
  where l.tenant = $1 and l.status = 'Processing' and (l.submitted_at, l.id) > ($2, $3)
  order by l.submitted_at, l.id limit $4`;

/** Before every place. */
const start: ReviewPlace = { submittedAt: '-infinity', id: '' };

export function createReader(pool: Pool): Reader {
  return {
    state: async ({ tenant, id }) => {
      const { rows } = await pool.query<{ state: TransactionState }>(
        'select state from transactions where tenant = $1 and id = $2',
        [tenant, id],
      );
      return rows[0]?.state;
    },
    link: async (by) => {
      const [where, values] =
        'tokenHash' in by
          ? ['where l.token_hash = $1', [by.tokenHash]]
          : ['where l.tenant = $1 and l.id = $2', [by.tenant, by.id]];
      return (await pool.query<FoundLink>(`${linkSql} ${where}`, values)).rows[0];
    },
    reviews: async (tenant, { limit, after = start }) => {
      const values = [tenant, after.submittedAt, after.id, limit];
      return (await pool.query<WaitingReview>(reviewsSql, values)).rows;
    },
  };
}
