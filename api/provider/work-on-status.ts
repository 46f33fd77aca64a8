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

const rankOf = (status: string): number => ranks[status] ?? -1;

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

/**
 * What an event is told as, or undefined when another one tells the same or what came later tells more. `known`: the status that
 * was known before.
 */
function wordToTell(send: SendRow, known: string, status: string): ProviderStatus | undefined {
  const [word, knownWord] = [progressToTell(send, status), progressToTell(send, known)];
  const further = rankOf(status) - rankOf(known);
  // A status of the same word is told by its own event, which is tried again until it is told.
  if (further > 0) return word === knownWord ? undefined : word;
  // An event that is tried again finds its own status, or a further one that left the telling to it.
  return further === 0 || word === knownWord ? word : undefined;
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
  const { send, known } = await inTransaction(parts.pool, (client) => writeStatus(client, event));
  const status = send && wordToTell(send, known, event.status);
  if (!status) return;
  const target = { tenant: send.tenant, id: send.transaction_id };
  if (status === 'failed') parts.logger.warn(told(send, event), 'the provider did not deliver a message');
  await parts.transactions.messageProgressed(target, {
    sendId: event.sendId,
    status,
    ...(event.code && status === 'failed' ? { code: event.code } : {}),
  });
}

/** Notes a status beside its send, unless a further one is known. `send`: the one that the event speaks of. */
async function writeStatus(client: PoolClient, event: StatusEvent): Promise<{ send?: SendRow; known: string }> {
  const { sendId, providerId, status, code } = event;
  const { rows } = await client.query<SendRow>(
    'select tenant, transaction_id, channel, kind, provider_status from sends where send_id = $1 for update',
    [sendId],
  );
  const [send] = rows;
  const known = send?.provider_status ?? '';
  if (!send || ranks[status] === undefined) return { known };

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
    [sendId, providerId, rankOf(status) > rankOf(known), status, code ?? null],
  );
  return { send, known };
}
