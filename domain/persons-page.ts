import { type Confirmation, isDue, isOpen, messageOf, replyIn } from './confirmation';
import type { Channel, ConfirmationKind, Meaning, MessageText } from './confirmation-settings';
import type { Language } from './language';
import { current, type TransactionState } from './state';

/**
 * `waiting`: the person may answer. `superseded`: a newer message of the same flow is open, and the person may still say
 * that it was not them. `noted`: a question has a reply that did not confirm. The others tell how it ended.
 */
export type PersonsPageStatus = 'waiting' | 'superseded' | 'confirmed' | 'denied' | 'noted' | 'expired' | 'closed';

/** What a person's page needs to know of one confirmation. No personal data. */
export interface PersonsPage {
  flow: string;
  kind: ConfirmationKind;
  channel: Channel;
  language: Language;
  status: PersonsPageStatus;
  expiresAt: string;
  /** Tokens only. */
  codeDigits?: number;
  /** The open confirmation that a denial counts for, when a newer one took the place of this one. */
  successorId?: string;
  /** What the message asked, and its replies in their order, in the language of the message. Second factors only. */
  question?: MessageText & { replies: { option: number; label: string; meaning: Meaning }[] };
  /** The label of what was replied to it. */
  replied?: string;
}

function ownStatus(confirmation: Confirmation, now: string): PersonsPageStatus {
  const { outcome } = confirmation;
  if (outcome === 'yes') return 'confirmed';
  if (outcome) return replyIn(confirmation) ? 'noted' : 'denied';
  if (confirmation.status === 'Expired' || isDue(confirmation, now)) return 'expired';
  return isOpen(confirmation) ? 'waiting' : 'closed';
}

/** Of a token that is not the newest any more: it can no longer be confirmed, though it may still stand as Waiting. */
function olderStatus(older: Confirmation, newest: Confirmation, now: string): PersonsPageStatus {
  if (older.outcome) return ownStatus(older, now);
  // Whoever is sent mails by a stranger must be able to say so on any of them, and see that it was noted.
  if (newest.outcome === 'no') return 'denied';
  if (isOpen(newest) && !isDue(newest, now)) return 'superseded';
  const status = ownStatus(older, now);
  return status === 'waiting' ? 'closed' : status;
}

/** The page of one confirmation at an instant; undefined when there is no such confirmation. */
export function toPersonsPage(state: TransactionState, confirmationId: string, now: string): PersonsPage | undefined {
  const confirmation = state.confirmations.find((candidate) => candidate.id === confirmationId);
  if (!confirmation) return undefined;
  const { flow, language, expiresAt } = confirmation;
  const newest = current(state, flow.name);
  const older = flow.kind === 'token' && newest !== undefined && newest.id !== confirmationId;
  const status = older ? olderStatus(confirmation, newest, now) : ownStatus(confirmation, now);
  return {
    flow: flow.name,
    kind: flow.kind,
    channel: flow.channel,
    language,
    status,
    expiresAt,
    ...(status === 'superseded' && newest ? { successorId: newest.id } : {}),
    ...(flow.codeDigits ? { codeDigits: flow.codeDigits } : {}),
    ...questionOf(confirmation),
  };
}

function questionOf(confirmation: Confirmation): Pick<PersonsPage, 'question' | 'replied'> {
  const { flow, language, sends, createdAt } = confirmation;
  if (!flow.options) return {};
  const replies = flow.options.map(({ option, meaning, label }) => ({ option, meaning, label: label[language] }));
  const said = replyIn(confirmation);
  const replied = replies.find(({ option }) => option === said?.option)?.label;
  return {
    ...(replied === undefined ? {} : { replied }),
    question: { ...messageOf(confirmation, sends.at(-1) ?? { at: createdAt }), replies },
  };
}
