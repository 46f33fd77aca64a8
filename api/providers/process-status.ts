import type { ProviderStatus } from '../../domain/delivery-status';
import { inTransaction, type Pool } from '../../platform/postgres';
import { lockSend, type ReportedSend, saveReport } from '../../store/messages/sends.sql';
import type { Dependencies } from '../dependencies';
import type { StatusEvent } from './provider-event';

/** Provider statuses by rank. A status replaces only one of lower rank. */
const ranks: Record<string, number> = {
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

const rankOf = (status: string): number => ranks[status] ?? -1;

/** The delivery status that the transaction gets for a provider status. Undefined if the transaction would not change. */
export function deliveryStatusFor(
  { channel, kind }: Pick<ReportedSend, 'channel' | 'kind'>,
  status: string,
): ProviderStatus | undefined {
  if (status === 'failed' || status === 'undelivered' || status === 'canceled') return 'failed';
  if (kind === 'token' || kind === 'checkFinished') return undefined;
  // A link needs no status after `sent`: it is InProgress as soon as the person opens it.
  if (kind === 'link') return ['sent', 'delivered', 'read'].includes(status) ? 'sent' : undefined;
  if (status === 'sent') return 'sent';
  if (status === 'delivered') return channel === 'sms' ? 'delivered' : 'sent';
  return status === 'read' && channel === 'whatsapp' ? 'read' : undefined;
}

/**
 * The delivery status to send to the transaction for an event. Undefined if another event sends the same or a later one.
 * `savedStatus`: the provider status that was saved before this event.
 */
function deliveryStatusToSend(send: ReportedSend, savedStatus: string, status: string): ProviderStatus | undefined {
  const [delivery, savedDelivery] = [deliveryStatusFor(send, status), deliveryStatusFor(send, savedStatus)];
  const difference = rankOf(status) - rankOf(savedStatus);
  // The event that saved `savedStatus` has sent an equal delivery status, or will send it when it is retried.
  if (difference > 0) return delivery === savedDelivery ? undefined : delivery;
  // This event is a retry, because its status was saved before. Its first attempt may have failed before it sent something, and a
  // later event with an equal delivery status sends nothing (see above). So it sends now.
  return difference === 0 || delivery === savedDelivery ? delivery : undefined;
}

const logFields = ({ transactionId, channel }: ReportedSend, { sendId, status, code }: StatusEvent) => ({
  transactionId,
  sendId,
  channel,
  providerStatus: status,
  ...(code ? { providerCode: code } : {}),
});

/** Saves the status of a send. Reports it to the transaction if the transaction would change. */
export async function processStatus(dependencies: Dependencies, event: StatusEvent): Promise<void> {
  const send = await saveStatus(dependencies.pool, event);
  const status = send && deliveryStatusToSend(send, send.providerStatus, event.status);
  if (!status) return;
  const target = { tenant: send.tenant, id: send.transactionId };
  if (status === 'failed') dependencies.logger.warn(logFields(send, event), 'the provider did not deliver a message');
  await dependencies.transactions.reportDeliveryStatus(target, {
    sendId: event.sendId,
    status,
    ...(event.code && status === 'failed' ? { code: event.code } : {}),
  });
}

/** Saves a status unless a later one is saved. Returns the send before the change; undefined for an unknown send or status. */
function saveStatus(pool: Pool, { sendId, providerId, status, code }: StatusEvent): Promise<ReportedSend | undefined> {
  return inTransaction(pool, async (client) => {
    const send = await lockSend(client, sendId);
    if (!send || ranks[status] === undefined) return undefined;
    const isNewest = rankOf(status) > rankOf(send.providerStatus);
    await saveReport(client, { sendId, providerId }, isNewest ? { status, code } : undefined);
    return send;
  });
}
