import { type Confirmation, isPastExpiry, isOpen, sendsLeft } from './confirmation';
import type { ConfirmationSettings, ReplyOption } from './confirmation-settings';
import { closeConfirmation } from './outcome';
import { type TransactionState, withConfirmation } from './state';

/** A reply of the person: the number of a button, or text. */
export type Reply = { option: number } | { text: string };

/** Words that stop all messages to the person. */
const optOutWords: readonly string[] = ['pare', 'parar', 'stop', 'sair', 'unsubscribe', 'cancelar'];

/** Words that allow messages to the person again. */
const optInWords: readonly string[] = ['start', 'unstop', 'voltar', 'volver'];

/** The maximum length of a reply, in characters. A longer reply matches no option, so it is not added to the status log. */
export const replyLengthMax = 160;

function normalizeText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Whether the text opts out of messages. */
export function isOptOut(text: string): boolean {
  return text.length <= replyLengthMax && optOutWords.includes(normalizeText(text));
}

/** Whether the text opts in to messages again. */
export function isOptIn(text: string): boolean {
  return text.length <= replyLengthMax && optInWords.includes(normalizeText(text));
}

/** The option that a reply chooses. Undefined if the reply matches no option. */
export function findReplyOption(settings: ConfirmationSettings, reply: Reply): ReplyOption | undefined {
  const options = settings.options ?? [];
  if ('option' in reply) return options.find((option) => option.option === reply.option);
  if (reply.text.length > replyLengthMax) return undefined;
  const replyText = normalizeText(reply.text);
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
