import type { ProviderStatus } from './delivery-status';

/** What the reports on a message depend on. */
interface ReportedMessage {
  channel: 'sms' | 'email' | 'whatsapp';
  kind: 'token' | 'secondFactor' | 'link' | 'checkFinished';
}

/** The statuses of the provider's reports, in its own words, by rank. */
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

/** Whether a word of a report is a known status. */
export const isProviderStatus = (status: string): boolean => Object.hasOwn(ranks, status);

const rankOf = (status: string): number => (isProviderStatus(status) ? (ranks[status] ?? -1) : -1);

/** Whether a status replaces the saved one, which is empty before the first report. A late report does not. */
export const replacesProviderStatus = (savedStatus: string, status: string): boolean =>
  rankOf(status) > rankOf(savedStatus);

/** The delivery status that the transaction gets for a status of a report. Undefined if the transaction would not change. */
function deliveryStatusFor({ channel, kind }: ReportedMessage, status: string): ProviderStatus | undefined {
  if (status === 'failed' || status === 'undelivered' || status === 'canceled') return 'failed';
  if (kind === 'token' || kind === 'checkFinished') return undefined;
  // A link needs no status after `sent`: it is InProgress as soon as the person opens it.
  if (kind === 'link') return ['sent', 'delivered', 'read'].includes(status) ? 'sent' : undefined;
  if (status === 'sent') return 'sent';
  if (status === 'delivered') return channel === 'sms' ? 'delivered' : 'sent';
  return status === 'read' && channel === 'whatsapp' ? 'read' : undefined;
}

/**
 * The delivery status to send to the transaction for a report. Undefined if the transaction would not change, or if the report that saved
 * `savedStatus` sends the same delivery status. If two reports send the same one, the transaction ignores the second.
 * `savedStatus`: the status that was saved before this report.
 */
export function deliveryStatusToSend(
  message: ReportedMessage,
  savedStatus: string,
  status: string,
): ProviderStatus | undefined {
  const [delivery, savedDelivery] = [deliveryStatusFor(message, status), deliveryStatusFor(message, savedStatus)];
  const difference = rankOf(status) - rankOf(savedStatus);
  // The report that saved `savedStatus` has sent an equal delivery status, or will send it when it is retried.
  if (difference > 0) return delivery === savedDelivery ? undefined : delivery;
  // This report is processed again, or it arrives late: a later status is saved. The two cases look the same. In the first case, its first
  // attempt may have failed before it sent something, and the later report sends nothing if its delivery status is equal (see above).
  // So this report sends an equal delivery status now, in both cases.
  return difference === 0 || delivery === savedDelivery ? delivery : undefined;
}
