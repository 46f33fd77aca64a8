import { type ConfirmationSettings, fillText, formatMinutes, type MessageText, type ReplyMeaning } from './settings';
import type { Language, PageRequester } from '../transactions/input';

/**
 * `Valid`: the person entered the right code. `Blocked`: no attempts are left, or the person denied the transaction. `Superseded`: a newer
 * code replaced this code. `Failed`: no message could be delivered.
 */
export type TokenStatus = 'Waiting' | 'Valid' | 'Expired' | 'Blocked' | 'Superseded' | 'Failed';

/** `Waiting` to `Read`: how far the message has come. `Replied`: the person replied. `Failed`: no message could be delivered. */
export type SecondFactorStatus = 'Waiting' | 'Sent' | 'Delivered' | 'Read' | 'Replied' | 'Failed' | 'Expired';
export type ConfirmationStatus = TokenStatus | SecondFactorStatus;

/** One message to the person. Its `state` is `pending` until the provider has accepted or rejected it. */
export interface Send {
  id: string;
  at: string;
  state: 'pending' | 'accepted' | 'failed';
  /** The delivery status as callers read it. It never goes back to an earlier status. */
  callerStatus: SecondFactorStatus;
  /** Why the message failed: an error type or `Undelivered`, with the provider's error number if any. */
  failureReason?: string;
}

/** One entry in the status log of a second factor, for one change of status. */
export interface StatusLogEntry {
  status: SecondFactorStatus;
  at: string;
  /** The message whose status changed. Absent if something else caused the entry, such as a reply or the expiry. */
  sendId?: string;
  /** The text of the message; in the entry of a reply, the text of the reply. */
  text: string;
  /** How many messages the confirmation could still send at that time. */
  sendsLeft: number;
  reply?: { option: number; repliedAt: string };
}

/** One confirmation: a token or a second factor. */
export interface Confirmation {
  id: string;
  /** The id from which the code of a token is derived. Absent: `id`. */
  codeId?: string;
  settings: ConfirmationSettings;
  language: Language;
  /** The caller that requested the confirmation. Set only if the hosted page sends the person back to the site of this caller. */
  requester?: PageRequester;
  status: ConfirmationStatus;
  createdAt: string;
  expiresAt: string;
  repliedAt?: string;
  /** Keyed digest of the expected code. Tokens only. */
  digest?: string;
  /** Attempts that count for `attemptLimit`. With `carriedAttempts`. */
  attemptsUsed: number;
  /**
   * How many of these attempts were made at another code: at a code that this code replaced, or at a newer code whose message was rejected.
   * They use up the limit, but they are no events of this confirmation. Absent in records of earlier versions.
   */
  carriedAttempts?: number;
  /**
   * With `rotate`, each resend is a new confirmation, which replaces the older one. This number counts the messages of all replaced
   * confirmations. They also count for `sendLimit`.
   */
  replacedSends: number;
  sends: Send[];
  /**
   * The number at the end of the newest send id. It can be higher than the number of `sends`: if a message is rejected immediately,
   * `revertSend` removes it.
   */
  lastSendNumber: number;
  /** Oldest first. Second factors only. */
  log: StatusLogEntry[];
  /** `yes`: the person confirmed, by a reply or with the right code. `no`: the person denied. `neither`: another reply. */
  outcome?: ReplyMeaning;
  /** When the person denied a token that was already closed. Its status does not change. */
  deniedAt?: string;
}

const openStatuses: readonly ConfirmationStatus[] = ['Waiting', 'Sent', 'Delivered', 'Read'];

/** Whether a confirmation is not closed yet. Its lifetime may already be over: see `isPastExpiry`. */
export function isOpen(confirmation: Confirmation): boolean {
  return openStatuses.includes(confirmation.status);
}

/** Whether the lifetime of an open confirmation is over. False for a closed confirmation. */
export function isPastExpiry(confirmation: Confirmation, now: string): boolean {
  return isOpen(confirmation) && now >= confirmation.expiresAt;
}

/** Whether the person said that they did not request the token. For tokens only. */
export const isDenied = ({ outcome, deniedAt }: Confirmation): boolean => outcome === 'no' || deniedAt !== undefined;

/** How many messages the confirmation may still send. */
export function sendsLeft(confirmation: Confirmation): number {
  return Math.max(0, confirmation.settings.sendLimit - confirmation.replacedSends - confirmation.sends.length);
}

/** The reply of the person, if any. */
export function replyOf({ log }: Pick<Confirmation, 'log'>): StatusLogEntry['reply'] {
  return log.findLast(({ reply }) => reply !== undefined)?.reply;
}

/**
 * The message of one send. All placeholders are replaced, except {{code}}. {{minutes}} is the remaining lifetime at the time of the send.
 */
export function messageOf({ settings, language, expiresAt }: Confirmation, { at }: Pick<Send, 'at'>): MessageText {
  const minutes = formatMinutes(Date.parse(expiresAt) - Date.parse(at));
  const { subject, body } = settings.message[language];
  const text = { body: fillText(body, { minutes }) };
  return subject === undefined ? text : { subject: fillText(subject, { minutes }), ...text };
}
