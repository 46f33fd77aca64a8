import type { DeliveryStatus } from './delivery-status';

/** The channel and the kind of a message. What a report about the message changes depends on both. */
interface ReportedMessage {
  channel: 'sms' | 'email' | 'whatsapp';
  kind: 'token' | 'secondFactor' | 'link' | 'biometricsResult';
}

/**
 * The rank of each status that a provider reports. A status with a higher rank is later. These are words of the provider. The words of
 * the service are in `DeliveryStatus`.
 */
const ranks: Readonly<Record<string, number>> = {
  accepted: 0,
  scheduled: 0,
  queued: 1,
  sending: 2,
  sent: 3,
  failed: 4,
  undelivered: 4,
  canceled: 4,
  delivered: 5,
  read: 6,
};

/** Whether a word of a report is a known provider status. */
export const isProviderStatus = (status: string): boolean => Object.hasOwn(ranks, status);

const rankOf = (status: string): number => (isProviderStatus(status) ? (ranks[status] ?? -1) : -1);

/**
 * Whether a provider status replaces the saved status: only if its rank is higher. The saved status is empty before the first report.
 */
export const replacesProviderStatus = (savedStatus: string, status: string): boolean =>
  rankOf(status) > rankOf(savedStatus);

/** The delivery status that the transaction gets for a provider status. Undefined if the transaction would not change. */
function deliveryStatusFor({ channel, kind }: ReportedMessage, status: string): DeliveryStatus | undefined {
  if (status === 'failed' || status === 'undelivered' || status === 'canceled') return 'failed';
  if (kind === 'token' || kind === 'biometricsResult') return undefined;
  // A link needs no status after `sent`: it is InProgress as soon as the person opens it.
  if (kind === 'link') return ['sent', 'delivered', 'read'].includes(status) ? 'sent' : undefined;
  if (status === 'sent') return 'sent';
  if (status === 'delivered') return channel === 'sms' ? 'delivered' : 'sent';
  return status === 'read' && channel === 'whatsapp' ? 'read' : undefined;
}

/**
 * The delivery status to send to the transaction for a report. Undefined if nothing is to be sent. `status`: the provider status of the
 * report. `savedStatus`: the provider status that was saved before. Both are converted to delivery statuses. A report with a higher rank
 * than `savedStatus` is sent only if the two delivery statuses differ. A report with the same rank is sent. A report with a lower rank is
 * sent only if the two delivery statuses are equal.
 */
export function deliveryStatusToSend(
  message: ReportedMessage,
  savedStatus: string,
  status: string,
): DeliveryStatus | undefined {
  const [delivery, savedDelivery] = [deliveryStatusFor(message, status), deliveryStatusFor(message, savedStatus)];
  const rankDifference = rankOf(status) - rankOf(savedStatus);
  // If both delivery statuses are equal, the earlier report has sent this delivery status, or will send it when that report is retried.
  if (rankDifference > 0) return delivery === savedDelivery ? undefined : delivery;
  // This report may be a retry: it was saved before, but its delivery status did not reach the transaction. Later reports with the same
  // delivery status were not sent, because this retry was expected. So the retry is sent now. If the transaction already has this delivery
  // status, the transaction does not change.
  return rankDifference === 0 || delivery === savedDelivery ? delivery : undefined;
}
