import { type Confirmation, isPastExpiry, isOpen, sendsLeft } from './confirmation';
import type { ConfirmationSettings, ReplyOption } from './confirmation-settings';
import { closeConfirmation } from './outcome';
import { normalizeReply, replyLengthMax } from './reply-text';
import { type TransactionState, withConfirmation } from './state';

/** A reply of the person: the number of a button, or text. */
export type Reply = { option: number } | { text: string };

/** The option that a reply chooses. Undefined if the reply matches no option. */
export function findReplyOption(settings: ConfirmationSettings, reply: Reply): ReplyOption | undefined {
  const options = settings.options ?? [];
  if ('option' in reply) return options.find((option) => option.option === reply.option);
  if (reply.text.length > replyLengthMax) return undefined;
  const replyText = normalizeReply(reply.text);
  return options.find((option) => String(option.option) === replyText || option.words.includes(replyText));
}

/** Whether the confirmation waits for a reply. */
export function awaitsReply(confirmation: Confirmation | undefined, now: string): confirmation is Confirmation {
  return confirmation?.settings.kind === 'secondFactor' && isOpen(confirmation) && !isPastExpiry(confirmation, now);
}

/** Applies a reply. Undefined if the reply matches no option, or if the confirmation no longer waits for a reply. */
export function applyReply(
  state: TransactionState,
  confirmationId: string,
  reply: Reply,
  now: string,
): TransactionState | undefined {
  const confirmation = state.confirmations.find((candidate) => candidate.id === confirmationId);
  if (!awaitsReply(confirmation, now)) return undefined;
  const option = findReplyOption(confirmation.settings, reply);
  if (!option) return undefined;
  const text =
    'text' in reply ? reply.text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim() : option.label[confirmation.language];
  const entry = {
    status: 'Replied',
    at: now,
    text,
    sendsLeft: sendsLeft(confirmation),
    reply: { option: option.option, repliedAt: now },
  } as const;
  const replied = { ...confirmation, log: [...confirmation.log, entry] };
  const updatedState = withConfirmation(state, replied);
  return closeConfirmation(updatedState, replied, 'Replied', option.meaning, now);
}
