import { fillText } from '../domain/flow';
import { deriveCode } from '../platform/codes';
import type { Keys } from '../platform/keys';
import { personsPath } from '../platform/links';
import type { MessageToDeliver } from '../workflows/ports';
import { addressUnder } from './messaging/address-under';
import type { OutgoingMessage } from './messaging/channel';

/** The message as the person reads it. Every attempt derives the same code, which exists nowhere else. */
export function composeMessage(keys: Keys, publicUrl: string, message: MessageToDeliver): OutgoingMessage {
  const { sendId, transactionId, confirmationId, flow, language, destination, expiresAt } = message;
  const { subject, body } = message.message;
  const code =
    flow.kind === 'token' && flow.codeDigits !== undefined
      ? deriveCode(keys, transactionId, confirmationId, flow.codeDigits)
      : undefined;
  const fill = (text: string) => fillText(text, code === undefined ? {} : { code });
  return {
    sendId,
    flow,
    language,
    destination,
    expiresAt,
    text: fill(body),
    ...(subject === undefined ? {} : { subject: fill(subject) }),
    ...(code === undefined ? {} : { code }),
    link: addressUnder(publicUrl, personsPath(keys, message)),
  };
}
