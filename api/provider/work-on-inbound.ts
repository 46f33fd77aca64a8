import { isOptIn, isOptOut, type Reply } from '../../domain/reply';
import { fingerprint } from '../../platform/codes';
import type { Pool } from '../../platform/postgres';
import type { Dependencies } from '../dependencies';
import { Problem } from '../problem';
import { CommandRejected } from '../transactions';
import { replyToConfirmation } from '../../workflows/contract';
import type { InboundEvent } from './provider-event';

interface Asked {
  tenant: string;
  transaction_id: string;
  confirmation_id: string;
}

/** Takes what a person sent: an opt-out, an opt-in, or the reply to what they were asked. */
export async function workOnInbound(
  parts: Dependencies,
  eventId: string,
  event: InboundEvent,
  receivedAt: Date,
): Promise<void> {
  const { pool, logger } = parts;
  const { channel, senders, text, button } = event;
  const option = /(?:^|\D)(\d{1,2})$/.exec(button ?? '')?.[1];
  // A press is an answer, whatever its label says: only words that a person wrote ask for no more messages.
  if (option === undefined && isOptOut(text)) {
    await pool.query(
      'insert into opt_outs (destination, channel) select unnest($1::text[]), $2 on conflict do nothing',
      [senders, channel],
    );
    return;
  }
  if (option === undefined && isOptIn(text)) {
    await pool.query('delete from opt_outs where destination = any($1) and channel = $2', [senders, channel]);
    return;
  }
  const reply: Reply = option ? { option: Number(option) } : { text };
  const asked = event.repliedTo
    ? await messageRepliedTo(event.repliedTo, event, pool)
    : await newestMessage(event, receivedAt, pool);
  if (asked && (await took(parts, eventId, asked, reply))) return;
  logger.info({ eventId, channel, known: asked !== undefined }, 'a reply was taken by no request');
}

const columns = 'tenant, transaction_id, confirmation_id';

/** A button belongs to its message: pressed late, it must not answer a newer request. */
async function messageRepliedTo(
  repliedTo: string,
  { channel, senders }: InboundEvent,
  pool: Pool,
): Promise<Asked | undefined> {
  const { rows } = await pool.query<Asked>(
    `select ${columns} from sends where provider_id = $1 and destination = any($2) and kind = 'secondFactor'`,
    [repliedTo, senders],
  );
  if (rows.length === 0) await refuseWhileUnknown(pool, channel, senders);
  return rows[0];
}

/**
 * Free words speak of the last message that reached the person, and of no other: a second "yes" must not walk on to an
 * older request, which may be of another tenant. What counts is when the words came, not when they are worked on.
 */
async function newestMessage(
  { channel, senders }: InboundEvent,
  receivedAt: Date,
  pool: Pool,
): Promise<Asked | undefined> {
  const { rows } = await pool.query<Asked>(
    `select ${columns} from sends
     where destination = any($1) and channel = $2 and kind = 'secondFactor' and $3 between created_at and expires_at
       and state not in ('intent', 'failed') and coalesce(provider_status, '') not in ('failed', 'undelivered', 'canceled')
     order by created_at desc limit 1`,
    [senders, channel, receivedAt],
  );
  return rows[0];
}

/**
 * A quick person answers before we learned the id of the message, above all when its sender was just killed. Throws while
 * any message to them is in that state, so that the event comes back; the expiry of the message ends it.
 */
async function refuseWhileUnknown(pool: Pool, channel: string, senders: readonly string[]): Promise<void> {
  const { rows } = await pool.query(
    `select 1 from sends
     where destination = any($1) and channel = $2 and kind = 'secondFactor' and provider_id is null
       and state = 'dispatching' and expires_at > now() limit 1`,
    [senders, channel],
  );
  if (rows.length > 0) throw new UnknownMessage('the message that the reply belongs to is not known yet');
}

class UnknownMessage extends Error {
  override name = 'UnknownMessage';
}

/** Whether the request took the reply. */
async function took(parts: Dependencies, eventId: string, asked: Asked, reply: Reply): Promise<boolean> {
  const { tenant, transaction_id: id, confirmation_id: confirmationId } = asked;
  try {
    await parts.transactions.send({ tenant, id }, replyToConfirmation, {
      input: { confirmationId, reply },
      identity: [confirmationId, reply],
      idempotencyKey: fingerprint(parts.keys, 'inbound', eventId, confirmationId),
    });
    return true;
  } catch (error) {
    if (error instanceof CommandRejected || (error instanceof Problem && error.code === 'transaction_not_found'))
      return false;
    throw error;
  }
}
