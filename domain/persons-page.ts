import { type Confirmation, isDue, isOpen } from './confirmation';
import type { Channel, ConfirmationKind } from './flow';
import type { Language } from './language';
import type { TransactionState } from './state';

/** `waiting`: the person may answer. The others tell how it ended. */
export type PersonsPageStatus = 'waiting' | 'confirmed' | 'denied' | 'expired' | 'closed';

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
  /** Options by meaning, in the order of the flow. Second factors only. */
  options?: { option: number; meaning: 'yes' | 'no' }[];
}

function pageStatus(confirmation: Confirmation, now: string): PersonsPageStatus {
  if (confirmation.outcome) return confirmation.outcome === 'yes' ? 'confirmed' : 'denied';
  if (confirmation.status === 'Expired' || isDue(confirmation, now)) return 'expired';
  return isOpen(confirmation) ? 'waiting' : 'closed';
}

/** The page of one confirmation at an instant; undefined when there is no such confirmation. */
export function toPersonsPage(state: TransactionState, confirmationId: string, now: string): PersonsPage | undefined {
  const confirmation = state.confirmations.find((candidate) => candidate.id === confirmationId);
  if (!confirmation) return undefined;
  const { flow, language, expiresAt } = confirmation;
  const options = flow.options?.map(({ option, meaning }) => ({ option, meaning }));
  return {
    flow: flow.name,
    kind: flow.kind,
    channel: flow.channel,
    language,
    // A token of which a newer one took the place can no longer be confirmed, though it may still stand as Waiting.
    status: superseded(state, confirmation) ? 'closed' : pageStatus(confirmation, now),
    expiresAt,
    ...(flow.codeDigits ? { codeDigits: flow.codeDigits } : {}),
    ...(options ? { options } : {}),
  };
}

function superseded(state: TransactionState, { id, flow, status }: Confirmation): boolean {
  const newest = state.confirmations.findLast((other) => other.flow.name === flow.name);
  return flow.kind === 'token' && status === 'Waiting' && newest?.id !== id;
}
