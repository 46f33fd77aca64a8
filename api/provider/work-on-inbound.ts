import { isOptOut, type Reply } from '../../domain/reply';
import { fingerprint } from '../../platform/codes';
import type { Pool } from '../../platform/postgres';
import type { Dependencies } from '../dependencies';
import { Problem } from '../problems';
import { Refused } from '../transactions';
import { isOptIn } from './opt-in';
import type { InboundEvent } from './provider-event';

interface Candidate {
  tenant: string;
  transaction_id: string;
  confirmation_id: string;
}

/** Open requests of one phone that a reply is offered to, newest first. */
const candidatesMax = 5;

/** Takes what a person sent: an opt-out, an opt-in, or the reply to the newest open request that understands it. */
export async function workOnInbound(parts: Dependencies, eventId: string, event: InboundEvent): Promise<void> {
  const { pool } = parts;
  const { channel, senders, text } = event;
  if (isOptOut(text)) {
    await pool.query(
      'insert into opt_outs (destination, channel) select unnest($1::text[]), $2 on conflict do nothing',
      [senders, channel],
    );
    return;
  }
  if (isOptIn(text)) {
    await pool.query('delete from opt_outs where destination = any($1) and channel = $2', [senders, channel]);
    return;
  }
  const option = /(?:^|\D)(\d{1,2})$/.exec(event.button ?? '')?.[1];
  const reply: Reply = option ? { option: Number(option) } : { text };
  for (const candidate of await candidates(event, pool)) if (await took(parts, eventId, candidate, reply)) return;
}

async function candidates({ channel, senders, repliedTo }: InboundEvent, pool: Pool): Promise<Candidate[]> {
  const columns = 'tenant, transaction_id, confirmation_id';
  if (repliedTo) {
    // A button belongs to its message: pressed late, it must not answer a newer request.
    const { rows } = await pool.query<Candidate>(
      `select ${columns} from sends where provider_id = $1 and destination = any($2) and kind = 'secondFactor'`,
      [repliedTo, senders],
    );
    if (rows.length === 0) await refuseWhileUnknown(pool, channel, senders);
    return rows;
  }
  const { rows } = await pool.query<Candidate>(
    `select ${columns} from sends
     where destination = any($1) and channel = $2 and kind = 'secondFactor' and expires_at > now()
     group by ${columns} order by max(created_at) desc limit ${candidatesMax}`,
    [senders, channel],
  );
  return rows;
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

/** Whether the request took the reply. A refusal or a transaction that is gone passes it on to the next. */
async function took(parts: Dependencies, eventId: string, candidate: Candidate, reply: Reply): Promise<boolean> {
  const { tenant, transaction_id: id, confirmation_id: confirmationId } = candidate;
  try {
    const key = fingerprint(parts.keys, 'inbound', eventId, confirmationId);
    await parts.transactions.replyToConfirmation({ tenant, id }, { confirmationId, reply }, key);
    return true;
  } catch (error) {
    if (error instanceof Refused || (error instanceof Problem && error.code === 'transaction_not_found')) return false;
    throw error;
  }
}
