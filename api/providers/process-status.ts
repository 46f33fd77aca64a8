import type { ProviderStatus } from '../../domain/delivery-status';
import { inTransaction, type Pool } from '../../platform/postgres';
import { lockSend, type ReportedSend, saveReport } from '../../store/messages/sends.sql';
import type { Dependencies } from '../dependencies';
import type { StatusEvent } from './provider-event';

/** The provider's words by rank; what is over stays over, but a message once delivered cannot fail any more. */
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

/** What the transaction should hear, or undefined when the word cannot change any of its records. */
export function statusToReport(
  { channel, kind }: Pick<ReportedSend, 'channel' | 'kind'>,
  status: string,
): ProviderStatus | undefined {
  if (status === 'failed' || status === 'undelivered' || status === 'canceled') return 'failed';
  if (kind === 'token' || kind === 'notice') return undefined;
  // Of a link it counts that it is on its way; its page tells the rest.
  if (kind === 'link') return ['sent', 'delivered', 'read'].includes(status) ? 'sent' : undefined;
  if (status === 'sent') return 'sent';
  if (status === 'delivered') return channel === 'sms' ? 'delivered' : 'sent';
  return status === 'read' && channel === 'whatsapp' ? 'read' : undefined;
}

/**
 * What an event is told as, or undefined when another one tells the same or what came later tells more. `known`: the status that
 * was known before.
 */
function deliveryToReport(send: ReportedSend, known: string, status: string): ProviderStatus | undefined {
  const [word, knownWord] = [statusToReport(send, status), statusToReport(send, known)];
  const further = rankOf(status) - rankOf(known);
  // A status of the same word is told by its own event, which is tried again until it is told.
  if (further > 0) return word === knownWord ? undefined : word;
  // An event that is tried again finds its own status, or a further one that left the telling to it.
  return further === 0 || word === knownWord ? word : undefined;
}

const told = ({ transactionId, channel }: ReportedSend, { sendId, status, code }: StatusEvent) => ({
  transactionId,
  sendId,
  channel,
  providerStatus: status,
  ...(code ? { providerCode: code } : {}),
});

/** Saves the status with its send, and passes on what can change a record. */
export async function processStatus(dependencies: Dependencies, event: StatusEvent): Promise<void> {
  const send = await saveStatus(dependencies.pool, event);
  const status = send && deliveryToReport(send, send.providerStatus, event.status);
  if (!status) return;
  const target = { tenant: send.tenant, id: send.transactionId };
  if (status === 'failed') dependencies.logger.warn(told(send, event), 'the provider did not deliver a message');
  await dependencies.transactions.messageProgressed(target, {
    sendId: event.sendId,
    status,
    ...(event.code && status === 'failed' ? { code: event.code } : {}),
  });
}

/**
 * Saves a status unless a further one is known. Gives the send as it was before; undefined when there is no such send, or
 * the status is none that we know.
 */
function saveStatus(pool: Pool, { sendId, providerId, status, code }: StatusEvent): Promise<ReportedSend | undefined> {
  return inTransaction(pool, async (client) => {
    const send = await lockSend(client, sendId);
    if (!send || ranks[status] === undefined) return undefined;
    const isNewest = rankOf(status) > rankOf(send.providerStatus);
    await saveReport(client, { sendId, providerId }, isNewest ? { status, code } : undefined);
    return send;
  });
}
