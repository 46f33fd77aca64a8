import { type Confirmation, isOpen, isPastExpiry, sendsLeft } from './confirmation';
import type { ConfirmationSettings, ReplyOption } from './settings';
import { closeConfirmation } from '../transactions/outcome';
import { type TransactionState, withConfirmation } from '../transactions/state';

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

/** The maximum length of a reply, in characters. A longer reply matches nothing, so it is not added to the status log. */
export const replyLengthMax = 160;

/** A text of a person as replies are compared: in lower case, without accents and punctuation, with single spaces. */
export function normalizeReply(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** What a keyword asks for: no more messages, messages again, or help. */
export type Keyword = 'optOut' | 'optIn' | 'help';

/**
 * The words of each keyword, in the form of `normalizeReply`. A text is a keyword only if it has no other words.
 *
 * Sources. Twilio, for STOP to OPTOUT, START, UNSTOP, HELP and INFO: https://www.twilio.com/docs/messaging/tutorials/advanced-opt-out and
 * https://www.twilio.com/docs/api/errors/23002. STOP ALL: https://developers.telnyx.com/docs/messaging/messages/advanced-opt-in-out.
 * OPT OUT: 47 CFR 64.1200(a)(10), of the FCC. REMOVE and ARRET (Canada):
 * https://docs.aws.amazon.com/sms-voice/latest/userguide/keywords-required.html. SAIR: Anatel, for all Brazilian carriers since 2012.
 * BAJA, CANCELAR: the guidelines of the Mobile Marketing Association for Latin America. The other words are the same requests in
 * Portuguese and Spanish.
 */
const words: Record<Keyword, readonly string[]> = {
  optOut: [
    ...['stop', 'stopall', 'stop all', 'unsubscribe', 'cancel', 'end', 'quit', 'revoke', 'optout', 'opt out', 'remove'],
    ...['sair', 'pare', 'parar', 'cancelar', 'remover', 'descadastrar'],
    ...['baja', 'dar de baja', 'alto', 'salir', 'detener'],
    ...['arret', 'arrete'],
  ],
  // Twilio also has YES. Here it is missing, because it answers questions. If the provider names YES as a keyword, see `processInbound`.
  optIn: ['start', 'unstop', 'voltar', 'volver', 'alta'],
  help: ['help', 'info', 'ajuda', 'ayuda', 'aide'],
};

const keywordOfWord = new Map(
  Object.entries(words).flatMap(([keyword, list]) => list.map((word) => [word, keyword as Keyword])),
);

/** The keyword that a text of a person is. Undefined for any other text. */
export const findKeyword = (text: string): Keyword | undefined =>
  text.length > replyLengthMax ? undefined : keywordOfWord.get(normalizeReply(text));
