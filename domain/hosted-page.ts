import { type Confirmation, isDenied, isDue, isOpen, messageOf, replyIn } from './confirmation';
import type { Channel, ConfirmationKind, Meaning, MessageText } from './confirmation-settings';
import type { Language } from './language';
import { currentConfirmation, type TransactionState } from './state';

/**
 * `waiting`: the person may answer. `superseded`: a newer message of the same flow is open, and the person may still say
 * that it was not them. `noted`: a question has a reply that did not confirm. The others tell how it ended.
 */
export type HostedPageStatus = 'waiting' | 'superseded' | 'confirmed' | 'denied' | 'noted' | 'expired' | 'closed';

/** What a person's page needs to know of one confirmation. No personal data. */
export interface HostedPage {
  confirmation: string;
  kind: ConfirmationKind;
  channel: Channel;
  language: Language;
  status: HostedPageStatus;
  expiresAt: string;
  /** Tokens only. */
  codeDigits?: number;
  /**
   * The confirmation that a denial counts for: the newest while it is open, else this one, also when it was used or
   * expired. Absent once the person has denied. Tokens only.
   */
  deniable?: string;
  /** What the message asked, and its replies in their order, in the language of the message. Second factors only. */
  prompt?: MessageText & { replies: { option: number; label: string; meaning: Meaning }[] };
  /** The label of what was replied to it. */
  replied?: string;
}

function ownStatus(confirmation: Confirmation, now: string): HostedPageStatus {
  const { outcome, deniedAt } = confirmation;
  if (deniedAt !== undefined) return 'denied';
  if (outcome === 'yes') return 'confirmed';
  if (outcome) return replyIn(confirmation) ? 'noted' : 'denied';
  if (confirmation.status === 'Expired' || isDue(confirmation, now)) return 'expired';
  return isOpen(confirmation) ? 'waiting' : 'closed';
}

/** Of a token that is not the newest any more: it can no longer be confirmed, though it may still stand as Waiting. */
function olderStatus(older: Confirmation, newest: Confirmation, now: string): HostedPageStatus {
  if (older.outcome || isDenied(older)) return ownStatus(older, now);
  // Whoever is sent mails by a stranger must be able to say so on any of them, and see that it was noted.
  if (isDenied(newest)) return 'denied';
  if (isOpen(newest) && !isDue(newest, now)) return 'superseded';
  const status = ownStatus(older, now);
  return status === 'waiting' ? 'closed' : status;
}

function deniable(token: Confirmation, newest: Confirmation, now: string): string | undefined {
  const counted = isOpen(newest) && !isDue(newest, now) ? newest : token;
  return isDenied(newest) || isDenied(counted) ? undefined : counted.id;
}

/** The page of one confirmation at an instant; undefined when there is no such confirmation. */
export function toHostedPage(state: TransactionState, confirmationId: string, now: string): HostedPage | undefined {
  const confirmation = state.confirmations.find((candidate) => candidate.id === confirmationId);
  if (!confirmation) return undefined;
  const { settings, language, expiresAt } = confirmation;
  const newest = currentConfirmation(state, settings.name) ?? confirmation;
  const older = settings.kind === 'token' && newest.id !== confirmationId;
  const status = older ? olderStatus(confirmation, newest, now) : ownStatus(confirmation, now);
  const denialFor = settings.kind === 'token' ? deniable(confirmation, newest, now) : undefined;
  return {
    confirmation: settings.name,
    kind: settings.kind,
    channel: settings.channel,
    language,
    status,
    expiresAt,
    ...(denialFor === undefined ? {} : { deniable: denialFor }),
    ...(settings.codeDigits ? { codeDigits: settings.codeDigits } : {}),
    ...promptOf(confirmation),
  };
}

function promptOf(confirmation: Confirmation): Pick<HostedPage, 'prompt' | 'replied'> {
  const { settings, language, sends, createdAt } = confirmation;
  if (!settings.options) return {};
  const replies = settings.options.map(({ option, meaning, label }) => ({ option, meaning, label: label[language] }));
  const said = replyIn(confirmation);
  const replied = replies.find(({ option }) => option === said?.option)?.label;
  return {
    ...(replied === undefined ? {} : { replied }),
    prompt: { ...messageOf(confirmation, sends.at(-1) ?? { at: createdAt }), replies },
  };
}
