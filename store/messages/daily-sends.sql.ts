import { deleteInBatches, type Pool } from '../../platform/postgres/postgres';

/** A limit for one tenant and one day. A message counts against several such limits. */
export interface DailyLimit {
  /** Name of the limit, as in SENDING_LIMITS. */
  name: 'messagesPerDay' | 'messagesPerCountryPerDay' | 'messagesPerPrefixPerDay' | 'spendPerDay';
  /** The country or phone prefix to which the limit applies. Empty if the limit applies to all messages of the tenant. */
  key: string;
  /** How much the message adds to the count: 1, or its price for `spendPerDay`. */
  amount: number;
  max: number;
}

/** Deletes the counts of all days before yesterday. */
export async function deleteOldDailySends(pool: Pool): Promise<void> {
  await deleteInBatches(pool, 'daily_sends', `day < (now() at time zone 'utc')::date - 1`);
}
