import { normalizeReply, replyLengthMax } from './reply-text';

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
  // Twilio also has YES. Here it is missing, because it answers questions. If Twilio names YES as a keyword, see `processInbound`.
  optIn: ['start', 'unstop', 'voltar', 'volver', 'alta'],
  help: ['help', 'info', 'ajuda', 'ayuda', 'aide'],
};

const keywordOfWord = new Map(
  Object.entries(words).flatMap(([keyword, list]) => list.map((word) => [word, keyword as Keyword])),
);

/** The keyword that a text of a person is. Undefined for any other text. */
export const findKeyword = (text: string): Keyword | undefined =>
  text.length > replyLengthMax ? undefined : keywordOfWord.get(normalizeReply(text));
