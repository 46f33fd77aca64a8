import type { Measured, SlowRule } from '../../../domain/providers/slowness';
import type { Pool } from '../../../platform/postgres/postgres';
import type { Channel } from '../../../domain/confirmations/settings';
import { failedStatuses } from '../../../messages/twilio-statuses';
import { ownProviderPrefix, serviceOwner } from '../../../domain/providers/route';

/** The deliveries of the newest messages of one provider to the phones that begin with `digits`. */
export interface DeliveryTimes extends Measured {
  /** The tenant whose provider it is, or `*` for a provider of the service. */
  owner: string;
  provider: string;
  /** The beginning of the phone numbers: a plus sign and three digits, of which the first are the dial code. Null for mailboxes. */
  digits: string | null;
}

// A message that failed is not late: another rule warns of it.
// The start of the window is a parameter: with row-level security, Postgres uses no index for a condition that calls a function.
const measureSql = `
  select owner, provider, digits, count(*) filter (where is_delivered)::int as delivered, count(*) filter (where is_late)::int as late,
    count(*) filter (where is_delivered or is_late)::int as judged
  from (
    select case when starts_with(provider, '${ownProviderPrefix}') then tenant else '${serviceOwner}' end as owner, provider,
      left(prefix, 4) as digits, delivered_at is not null as is_delivered,
      coalesce(delivered_at, clock_timestamp()) - dispatched_at > $3 * interval '1 second' as is_late
    from sends
    where created_at > $2 and channel = $1 and state = 'accepted' and provider is not null and not erased
      and (delivered_at is not null or coalesce(provider_status, '') <> all($4))
  ) as newest
  group by owner, provider, digits`;

/** Measures how fast the messages of the last minutes on a channel arrive. One query by index, for all tenants. */
export async function measureDeliveryTimes(
  pool: Pool,
  channel: Channel,
  { seconds, minutes }: Pick<SlowRule, 'seconds' | 'minutes'>,
): Promise<DeliveryTimes[]> {
  const since = new Date(Date.now() - minutes * 60_000);
  return (await pool.query<DeliveryTimes>(measureSql, [channel, since, seconds, failedStatuses])).rows;
}
