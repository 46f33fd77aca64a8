import {
  type Confirmation,
  type ConfirmationStatus,
  isDenied,
  isOpen,
  isPastExpiry,
  messageOf,
  replyOf,
} from './confirmation';
import type { Channel, ConfirmationKind, MessageText, ReplyMeaning } from './settings';
import type { Language, PageRequester } from '../transactions/input';
import { currentConfirmation, type TransactionState } from '../transactions/state';

/**
 * `waiting`: the person can confirm. `superseded`: a newer code is open. The code of this page is no longer accepted, but the person can
 * still say that they did not request it. `noted`: the person replied to a question, but not with yes. `denied`: the person denied a code.
 * `confirmed`, `expired` and `closed`: how the confirmation ended.
 */
export type HostedPageStatus = 'waiting' | 'superseded' | 'confirmed' | 'denied' | 'noted' | 'expired' | 'closed';

/** The data of the hosted page of one confirmation. No personal data. */
export interface ConfirmationPage {
  /** Name of the confirmation settings, such as email-2fa. */
  confirmation: string;
  kind: ConfirmationKind;
  channel: Channel;
  language: Language;
  status: HostedPageStatus;
  /** The status as callers read it. */
  callerStatus: ConfirmationStatus;
  requester?: PageRequester;
  expiresAt: string;
  /** The keyed digest of the correct code. Tokens only. */
  digest?: string;
  /**
   * For tokens only: the id of the token to which a denial applies. This is the newest token if that token is open. If not, this is the
   * token of this page. Absent after a denial.
   */
  denialTargetId?: string;
  /** The prompt and its replies, in the language of the message. Second factors only. */
  prompt?: MessageText & { replies: { option: number; label: string; meaning: ReplyMeaning }[] };
  /** The label of the reply that the person gave. */
  replied?: string;
}

function pageStatus(confirmation: Confirmation, now: string): HostedPageStatus {
  const { outcome, deniedAt } = confirmation;
  if (deniedAt !== undefined) return 'denied';
  if (outcome === 'yes') return 'confirmed';
  if (outcome) return replyOf(confirmation) ? 'noted' : 'denied';
  if (confirmation.status === 'Expired' || isPastExpiry(confirmation, now)) return 'expired';
  return isOpen(confirmation) ? 'waiting' : 'closed';
}

/** The status of a token that is not the newest. Its code is no longer accepted. */
function olderTokenStatus(older: Confirmation, newest: Confirmation, now: string): HostedPageStatus {
  if (older.outcome || isDenied(older)) return pageStatus(older, now);
  // A denial of the newest token counts for all tokens.
  if (isDenied(newest)) return 'denied';
  if (isOpen(newest) && !isPastExpiry(newest, now)) return 'superseded';
  const status = pageStatus(older, now);
  return status === 'waiting' ? 'closed' : status;
}

/** See `ConfirmationPage.denialTargetId`. */
function deniableTokenId(token: Confirmation, newest: Confirmation, now: string): string | undefined {
  const target = isOpen(newest) && !isPastExpiry(newest, now) ? newest : token;
  return isDenied(newest) || isDenied(target) ? undefined : target.id;
}

/** The page of one confirmation at the time `now`. Undefined if there is no such confirmation. */
export function toHostedPage(
  state: TransactionState,
  confirmationId: string,
  now: string,
): ConfirmationPage | undefined {
  const confirmation = state.confirmations.find((candidate) => candidate.id === confirmationId);
  if (!confirmation) return undefined;
  const { settings, language, expiresAt, digest, requester } = confirmation;
  const newest = currentConfirmation(state, settings.name) ?? confirmation;
  const isOlderToken = settings.kind === 'token' && newest.id !== confirmationId;
  const status = isOlderToken ? olderTokenStatus(confirmation, newest, now) : pageStatus(confirmation, now);
  const denialTargetId = settings.kind === 'token' ? deniableTokenId(confirmation, newest, now) : undefined;
  return {
    confirmation: settings.name,
    kind: settings.kind,
    channel: settings.channel,
    language,
    status,
    callerStatus: isPastExpiry(confirmation, now) ? 'Expired' : confirmation.status,
    ...(requester === undefined ? {} : { requester }),
    expiresAt,
    ...(denialTargetId === undefined ? {} : { denialTargetId }),
    ...(digest === undefined ? {} : { digest }),
    ...promptOf(confirmation),
  };
}

function promptOf(confirmation: Confirmation): Pick<ConfirmationPage, 'prompt' | 'replied'> {
  const { settings, language, sends, createdAt } = confirmation;
  if (!settings.options) return {};
  const replies = settings.options.map(({ option, meaning, label }) => ({ option, meaning, label: label[language] }));
  const reply = replyOf(confirmation);
  const replyLabel = replies.find(({ option }) => option === reply?.option)?.label;
  return {
    ...(replyLabel === undefined ? {} : { replied: replyLabel }),
    prompt: { ...messageOf(confirmation, sends.at(-1) ?? { at: createdAt }), replies },
  };
}
