import type { ListKind } from '../../../domain/lists/list-entries';
import { DataErasedError } from '../../../platform/keys/data-keys';
import type { Pool } from '../../../platform/postgres/postgres';
import type { DailyLimit } from '../daily-sends.sql';
import type { Dispatch, SendRow } from './send-states.sql';

/** A message that gets a row in the table `sends` before it is sent. */
export interface NewSend {
  sendId: string;
  tenant: string;
  transactionId: string;
  confirmationOrLinkId: string;
  /** The name of the confirmation settings, such as `sms-token`, or the flow and step, such as `sign-up/code`. */
  settingsName: string;
  channel: string;
  kind: string;
  /** Keyed hash of the phone or mailbox. */
  destination: string;
  /** The phone number without its last four digits. Absent for a mailbox. */
  prefix?: string;
  /** The domains of a mailbox that can be on a list: see `listedDomainsOf`. */
  domains?: readonly string[];
  expiresAt: string;
}

/** What limits a new send. */
export interface SendLimits {
  /** How many messages a destination may get within a time window. */
  destination: {
    /** From one tenant. */
    perTenant: number;
    /** From all tenants. */
    total: number;
    /** From each tenant, even if other tenants have used up `total`. */
    guaranteed: number;
    windowMs: number;
  };
  /** Limits of the tenant for each day. */
  daily: readonly DailyLimit[];
  /** A prefix of phone numbers is blocked if persons answer too few of the messages to its numbers: see SENDING_LIMITS. */
  lowAnswerRate: {
    /** A prefix is checked after this many messages. */
    messages: number;
    /** The minimum share of the messages that persons must answer, 0 to 1. If it is 0, a prefix is never blocked. */
    rate: number;
    blockHours: number;
  };
}

/** Why a message may not be sent. `retryAfterSeconds`: when it may be sent. */
export type SendRejection =
  | { reason: 'optedOut' }
  /** `code`: why mails to the mailbox are stopped, see `MailStop`. */
  | { reason: 'stopped'; code: string }
  /** `kind`: the kind of the deciding entry on the deny list of the tenant. */
  | { reason: 'denied'; kind: ListKind }
  | ({ retryAfterSeconds: number } & (
      | { reason: 'destinationLimit' }
      | { reason: 'tenantLimit'; limit: DailyLimit['name'] }
      /** `counts`: set only if this send caused the block. */
      | { reason: 'blocked'; blockId: string; counts?: { sent: number; answered: number } }
    ));

/** A reserved message. */
export interface Reservation {
  /** The row as it was before the claim. */
  row: SendRow;
  /** Set if the next request to the provider is claimed for this caller: see `claimDispatch`. */
  claim?: Dispatch;
  /** Whether the person has opted out since the message was reserved. */
  isOptedOut: boolean;
  /** The kind of the entry on the deny list of the tenant that stops the message since then, if there is one. */
  deniedKind?: ListKind | undefined;
  /** Why mails to the mailbox are stopped since then, see `MailStop`. `isOptedOut` is then true as well. */
  stopCode?: string | undefined;
}

const reserveSql = `select reserve_send($1::jsonb, $2::jsonb, $3) as result`;

type ReservationRow =
  | {
      row: Omit<SendRow, 'createdAt'> & { createdAt: string };
      isClaimed: boolean;
      isOptedOut: boolean;
      deniedKind: ListKind | null;
      stopCode: string | null;
    }
  | { reason: 'optedOut'; stopCode?: string }
  | Exclude<SendRejection, { reason: 'optedOut' | 'stopped' }>
  | { reason: 'erased' };

/** SQLSTATE with which `reserve_send` reports that a daily limit is exceeded. */
const dailyLimitCode = 'CS001';

/**
 * Returns the row of a send. If there is none, creates it if the limits allow it: the message then counts against them. `claimedBy`: also
 * claims the first request, to the provider with this name, as `claimDispatch` does, if no request was made yet. One statement, see migration
 * 0017_mail_stops. Sends to the same phone, mailbox or prefix wait for each other, so concurrent sends cannot exceed a limit. Throws DataErasedError if the transaction is erased.
 */
export async function reserveSend(
  pool: Pool,
  send: NewSend,
  limits: SendLimits,
  claimedBy?: string,
): Promise<Reservation | SendRejection> {
  const values = [JSON.stringify({ ...send, provider: claimedBy }), JSON.stringify(limits), claimedBy !== undefined];
  const result = await pool
    .query<{ result: ReservationRow }>(reserveSql, values)
    .then(({ rows }) => rows[0]?.result, toDailyLimit);
  if (!result) throw new Error('The send was not saved: this is a bug.');
  if ('reason' in result) {
    if (result.reason === 'erased') throw new DataErasedError({ tenant: send.tenant, owner: send.transactionId });
    if (result.reason !== 'optedOut') return result;
    return result.stopCode === undefined ? result : { reason: 'stopped', code: result.stopCode };
  }
  const row = { ...result.row, createdAt: new Date(result.row.createdAt) };
  const { sendId, dispatches, state } = row;
  return {
    row,
    isOptedOut: result.isOptedOut,
    ...(result.deniedKind !== null && { deniedKind: result.deniedKind }),
    ...(result.stopCode !== null && { stopCode: result.stopCode }),
    ...(result.isClaimed && { claim: { sendId, dispatches: dispatches + 1, state } }),
  };
}

/** Returns the rejection of a statement that a daily limit has stopped. Throws any other error. */
function toDailyLimit(error: unknown): Extract<SendRejection, { reason: 'tenantLimit' }> {
  const { code, detail, hint } = error as { code?: string; detail?: DailyLimit['name']; hint?: string };
  if (code !== dailyLimitCode || detail === undefined) throw error;
  return { reason: 'tenantLimit', limit: detail, retryAfterSeconds: Number(hint) };
}
