import { deliveryStatusOf } from '../../messages/twilio-statuses';
import type { Pool } from '../../platform/postgres/postgres';
import { findSendStatuses } from '../../store/messages/sends/sent-messages.sql';
import type { Activities } from '../../workflows/contract/activities';

export interface DeliveryCheckDependencies {
  pool: Pool;
  /** Whether a provider reports that messages arrived. */
  givesReports: (provider: string) => boolean;
}

/** Creates the activity that finds out whether one of the messages of a confirmation has arrived. */
export function createDeliveryCheck({ pool, givesReports }: DeliveryCheckDependencies): Activities['findDelivery'] {
  return async ({ sendIds }) => {
    const sends = await findSendStatuses(pool, sendIds);
    const hasArrived = sends.some(({ providerStatus }) =>
      ['delivered', 'read'].includes(deliveryStatusOf(providerStatus ?? '') ?? ''),
    );
    if (hasArrived) return { check: 'delivered' };
    const provider = sends.find(({ sendId }) => sendId === sendIds.at(-1))?.provider ?? undefined;
    return { check: provider === undefined || givesReports(provider) ? 'missing' : 'withoutReports' };
  };
}
