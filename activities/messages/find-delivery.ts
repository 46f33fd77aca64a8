import type { Channel } from '../../domain/confirmations/settings';
import { deliveredStatuses } from '../../messages/twilio-statuses';
import type { Pool } from '../../platform/postgres/postgres';
import { findSendStatuses } from '../../store/messages/sends/sent-messages.sql';
import type { Activities } from '../../workflows/contract/activities';

export interface DeliveryCheckDependencies {
  pool: Pool;
  /** Whether a provider of a tenant or of the service reports that messages arrived. */
  givesReports: (tenant: string, channel: Channel, provider: string) => Promise<boolean>;
}

/** Creates the activity that finds out whether one of the messages of a confirmation has arrived. */
export function createDeliveryCheck({ pool, givesReports }: DeliveryCheckDependencies): Activities['findDelivery'] {
  return async ({ tenant, channel, sendIds }) => {
    const sends = await findSendStatuses(pool, sendIds);
    const hasArrived = sends.some(({ providerStatus }) => deliveredStatuses.includes(providerStatus ?? ''));
    if (hasArrived) return { check: 'delivered' };
    const provider = sends.find(({ sendId }) => sendId === sendIds.at(-1))?.provider ?? undefined;
    const isMissing = provider === undefined || (await givesReports(tenant, channel, provider));
    return { check: isMissing ? 'missing' : 'withoutReports' };
  };
}
