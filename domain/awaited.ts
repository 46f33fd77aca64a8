import { addMs } from './add-ms';
import { isOpenLink } from './biometrics/biometrics';
import { linkInReview } from './biometrics/capture';
import { type Confirmation, isOpen, sendsLeft } from './confirmation';
import type { Channel } from './confirmation-settings';
import type { TransactionState } from './state';
import { attemptsRemaining } from './check-code';

/** An open code or question. `resendAt`: the time from which its message can be sent again. Absent if the message cannot be sent again. */
interface AwaitedMessage {
  channel: Channel;
  expiresAt: string;
  sendsLeft: number;
  resendAt?: string;
}

/** An open confirmation: a code or a reply that the person has not given yet. */
export type AwaitedConfirmationView =
  | (AwaitedMessage & { kind: 'token'; attemptsLeft: number })
  | (AwaitedMessage & { kind: 'reply' });

/** Something that a transaction waits for: an action of the person, or the decision of a reviewer. */
export type AwaitedItem =
  | (AwaitedConfirmationView & { confirmationId: string; name: string })
  // An open link, until the person submits the images.
  | { kind: 'images'; biometricsId: string; expiresAt: string }
  // A link with submitted images, until the reviewer decides.
  | { kind: 'decision'; biometricsId: string };

/** What an open confirmation waits for, and what the caller may still do. */
export function viewAwaitedConfirmation(state: TransactionState, confirmation: Confirmation): AwaitedConfirmationView {
  const { settings, expiresAt, sends } = confirmation;
  const sendsRemaining = sendsLeft(confirmation);
  const resendAt = addMs(sends.at(-1)?.at ?? confirmation.createdAt, settings.resendAfterMs);
  const message = {
    channel: settings.channel,
    expiresAt,
    sendsLeft: sendsRemaining,
    ...(sendsRemaining > 0 && resendAt < expiresAt ? { resendAt } : {}),
  };
  return settings.kind === 'token'
    ? { kind: 'token', ...message, attemptsLeft: attemptsRemaining(state, confirmation) }
    : { kind: 'reply', ...message };
}

/** Everything that a transaction waits for: open confirmations, oldest first, then the open link, then the decision on images. */
export function allAwaited(state: TransactionState): AwaitedItem[] {
  const confirmations = state.confirmations.filter(isOpen).map((confirmation) => ({
    ...viewAwaitedConfirmation(state, confirmation),
    confirmationId: confirmation.id,
    name: confirmation.settings.origin ?? confirmation.settings.name,
  }));
  const links = (state.biometrics ?? [])
    .filter(isOpenLink)
    .map(({ id, expiresAt }) => ({ kind: 'images' as const, biometricsId: id, expiresAt }));
  const inReview = linkInReview(state);
  return [...confirmations, ...links, ...(inReview ? [{ kind: 'decision' as const, biometricsId: inReview.id }] : [])];
}
