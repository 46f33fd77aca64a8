import type { ProviderStatus } from '../../domain/delivery';
import { inTransaction, type PoolClient } from '../../platform/postgres';
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

interface SendRow {
  tenant: string;
  transaction_id: string;
  channel: 'sms' | 'email' | 'whatsapp';
  kind: 'token' | 'secondFactor' | 'link';
  provider_status: string | null;
}

/** What the transaction should hear, or undefined when the word cannot change any of its records. */
export function progressToTell(
  { channel, kind }: Pick<SendRow, 'channel' | 'kind'>,
  status: string,
): ProviderStatus | undefined {
  if (status === 'failed' || status === 'undelivered' || status === 'canceled') return 'failed';
  if (kind === 'token') return undefined;
  // Of a link it counts that it is on its way; its page tells the rest.
  if (kind === 'link') return ['sent', 'delivered', 'read'].includes(status) ? 'sent' : undefined;
  if (status === 'sent') return 'sent';
  if (status === 'delivered') return channel === 'sms' ? 'delivered' : 'sent';
  return status === 'read' && channel === 'whatsapp' ? 'read' : undefined;
}

const told = ({ transaction_id: transactionId, channel }: SendRow, { sendId, status, code }: StatusEvent) => ({
  transactionId,
  sendId,
  channel,
  providerStatus: status,
  ...(code ? { providerCode: code } : {}),
});

/** Writes the status beside its send, and passes on what can change a record. */
export async function workOnStatus(parts: Dependencies, event: StatusEvent): Promise<void> {
  const send = await inTransaction(parts.pool, (client) => writeStatus(client, event));
  const status = send && progressToTell(send, event.status);
  if (!status) return;
  const target = { tenant: send.tenant, id: send.transaction_id };
  if (status === 'failed') parts.logger.warn(told(send, event), 'the provider did not deliver a message');
  await parts.transactions.messageProgressed(target, {
    sendId: event.sendId,
    status,
    ...(event.code && status === 'failed' ? { code: event.code } : {}),
  });
}

/** The send that the event speaks of, unless a further status of it is known. */
async function writeStatus(client: PoolClient, event: StatusEvent): Promise<SendRow | undefined> {
  const { sendId, providerId, status, code } = event;
  const { rows } = await client.query<SendRow>(
    'select tenant, transaction_id, channel, kind, provider_status from sends where send_id = $1 for update',
    [sendId],
  );
  const [send] = rows;
  const rank = ranks[status];
  if (!send || rank === undefined) return undefined;

  const known = ranks[send.provider_status ?? ''] ?? -1;
  // The address of the callback names the send, so a message adopted by another one on a likeness was not its own.
  await client.query('update sends set provider_id = null where provider_id = $2 and send_id <> $1', [
    sendId,
    providerId,
  ]);
  await client.query(
    `update sends set provider_id = coalesce(provider_id, $2),
       -- A status is proof that the provider took the message: a sender whose answer was lost need not send again.
       state = case when state in ('intent', 'dispatching') then 'accepted' else state end,
       provider_status = case when $3 then $4 else provider_status end,
       provider_code = case when $3 then coalesce($5, provider_code) else provider_code end
     where send_id = $1`,
    [sendId, providerId, rank > known, status, code ?? null],
  );
  // An event that is tried again finds its own status written already and must still be told.
  return rank >= known ? send : undefined;
}
