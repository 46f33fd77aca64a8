import { deliveryStatusToSend } from '../../domain/confirmations/delivery';
import { inTransaction, type Pool } from '../../platform/postgres/postgres';
import { lockSend, type ReportedSend, saveReport } from '../../store/messages/sends/send-states.sql';
import type { Needs } from '../dependencies';
import type { StatusEvent } from '../../store/messages/provider-events.sql';
import type { TransactionWork } from '../transactions/transactions';
import { deliveryStatusOf, isLaterStatus } from './twilio-statuses';

/** The fields of the log line for a message that was not delivered. */
const logFields = ({ transactionId, channel }: ReportedSend, { sendId, status, code }: StatusEvent) => ({
  transactionId,
  sendId,
  channel,
  providerStatus: status,
  ...(code ? { providerCode: code } : {}),
});

/**
 * Saves the status that the provider reports for a send. If this changes the transaction, returns the work that reports the status to the
 * transaction.
 */
export async function processStatus(
  dependencies: Needs<'logger' | 'pool' | 'transactions'>,
  event: StatusEvent,
): Promise<TransactionWork | undefined> {
  const reported = deliveryStatusOf(event.status);
  const send = reported && (await saveStatus(dependencies.pool, event));
  const status = send && deliveryStatusToSend(send, deliveryStatusOf(send.providerStatus), reported);
  if (!status) return undefined;
  const target = { tenant: send.tenant, id: send.transactionId };
  if (status === 'failed') dependencies.logger.warn(logFields(send, event), 'the provider did not deliver a message');
  const report = {
    sendId: event.sendId,
    status,
    ...(event.code && status === 'failed' ? { code: event.code } : {}),
  };
  return { target, run: () => dependencies.transactions.reportDeliveryStatus(target, report) };
}

/**
 * Saves a status, but keeps a later status that is already saved. Returns the send as it was before this change. Undefined for an unknown
 * send.
 */
function saveStatus(pool: Pool, { sendId, providerId, status, code }: StatusEvent): Promise<ReportedSend | undefined> {
  return inTransaction(pool, async (client) => {
    const send = await lockSend(client, sendId);
    if (!send) return undefined;
    const isNewest = isLaterStatus(send.providerStatus, status);
    await saveReport(client, send, providerId, isNewest ? { status, code } : undefined);
    return send;
  });
}
