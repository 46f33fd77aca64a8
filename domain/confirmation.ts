import {
  fillText,
  type ConfirmationSettings,
  type Meaning,
  type MessageText,
  minutesIn,
} from './confirmation-settings';
import type { Language } from './language';

export type TokenStatus = 'Waiting' | 'Valid' | 'Expired' | 'Blocked' | 'Superseded' | 'Failed';
export type SecondFactorStatus = 'Waiting' | 'Sent' | 'Delivered' | 'Read' | 'Replied' | 'Failed' | 'Expired';
export type ConfirmationStatus = TokenStatus | SecondFactorStatus;

/** One message out. `pending` until the provider took or refused it. */
export interface Send {
  id: string;
  at: string;
  state: 'pending' | 'accepted' | 'failed';
  /** How far the provider says the message came; it only rises. */
  deliveryStatus: SecondFactorStatus;
  /** Why it failed: the name of a refusal, or `Undelivered`, with the provider's own number where it gave one. */
  failureReason?: string;
}

/** One line of the status log of a second factor: one per transition. */
export interface LogEntry {
  status: SecondFactorStatus;
  at: string;
  /** The message that the entry tells of; absent on Replied and Expired. */
  sendId?: string;
  /** The message, or the reply value once replied. */
  text: string;
  /** Sends that were left when the entry was written. */
  sendsLeft: number;
  reply?: { option: number; repliedAt: string };
}

/** One run of a flow. */
export interface Confirmation {
  /** Chosen by the caller of the update; the code of a token is derived from it. */
  id: string;
  settings: ConfirmationSettings;
  language: Language;
  status: ConfirmationStatus;
  createdAt: string;
  expiresAt: string;
  repliedAt?: string;
  /** Keyed digest of the expected value. Tokens only. */
  digest?: string;
  attemptsUsed: number;
  /** Messages that earlier codes of the same request have sent. */
  sendsBefore: number;
  sends: Send[];
  /** Messages ever reserved here, those taken back included: no two sends have one id. */
  sendsReserved: number;
  /** Oldest first. Second factors only. */
  log: LogEntry[];
  /** What the person said, once they did. */
  outcome?: Meaning;
  /** When the person denied a token that was closed already, for example used. What it answers stays as it is. */
  deniedAt?: string;
}

const openStatuses: readonly ConfirmationStatus[] = ['Waiting', 'Sent', 'Delivered', 'Read'];

export function isOpen(confirmation: Confirmation): boolean {
  return openStatuses.includes(confirmation.status);
}

export function isDue(confirmation: Confirmation, now: string): boolean {
  return isOpen(confirmation) && now >= confirmation.expiresAt;
}

/** Whether the person said that they asked for nothing. Tokens only. */
export const isDenied = ({ outcome, deniedAt }: Confirmation): boolean => outcome === 'no' || deniedAt !== undefined;

export function sendsLeft(confirmation: Confirmation): number {
  return Math.max(0, confirmation.settings.sendLimit - confirmation.sendsBefore - confirmation.sends.length);
}

/** What the person replied to a question, once they did. */
export function replyIn({ log }: Pick<Confirmation, 'log'>): LogEntry['reply'] {
  return log.findLast(({ reply }) => reply !== undefined)?.reply;
}

/** The message of one send, filled but for {{code}}. Its minutes are those that are left when it goes out. */
export function messageOf({ settings, language, expiresAt }: Confirmation, { at }: Pick<Send, 'at'>): MessageText {
  const minutes = minutesIn(Date.parse(expiresAt) - Date.parse(at));
  const { subject, body } = settings.message[language];
  const text = { body: fillText(body, { minutes }) };
  return subject === undefined ? text : { subject: fillText(subject, { minutes }), ...text };
}
