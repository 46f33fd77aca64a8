import { fillLinkText } from '../domain/biometrics/link-message';
import { fillText } from '../domain/confirmation-settings';
import { deriveCode } from '../platform/codes';
import type { Keys } from '../platform/keys';
import { biometricsPath, biometricsToken, type LinkPurpose, hostedPagePath } from '../platform/links';
import type { MessageToDeliver } from '../workflows/ports';
import type { OutgoingMessage } from './messaging/channel';

/**
 * The message as the person reads it, with links below `publicUrl`. Every attempt derives the same code and link; they are stored
 * nowhere.
 */
export function composeMessage(keys: Keys, publicUrl: string, message: MessageToDeliver): OutgoingMessage {
  const { sendId, transactionId, confirmationId, flow: settings, language, destination, expiresAt } = message;
  const { subject, body } = message.message;
  const code =
    settings.kind === 'token' && settings.codeDigits !== undefined
      ? deriveCode(keys, transactionId, confirmationId, settings.codeDigits)
      : undefined;
  const link = linkOf(keys, publicUrl, message);
  const fill = (text: string) =>
    settings.kind === 'link'
      ? fillLinkText(text, { link: link ?? '' })
      : fillText(text, code === undefined ? {} : { code });
  return {
    sendId,
    flow: settings,
    language,
    destination,
    expiresAt,
    text: fill(body),
    ...(subject === undefined ? {} : { subject: fill(subject) }),
    ...(code === undefined ? {} : { code }),
    ...(link === undefined ? {} : { link }),
    ...(settings.kind === 'token' ? { denyLink: pageOf(keys, publicUrl, message, 'deny') } : {}),
  };
}

const pageOf = (keys: Keys, publicUrl: string, message: MessageToDeliver, purpose: LinkPurpose): string =>
  publicUrl + hostedPagePath(keys, { ...message, purpose });

function linkOf(keys: Keys, publicUrl: string, message: MessageToDeliver): string | undefined {
  const { tenant, transactionId, confirmationId, flow: settings } = message;
  if (settings.kind === 'notice') return undefined;
  if (settings.kind !== 'link') return pageOf(keys, publicUrl, message, 'answer');
  const token = biometricsToken(keys, { tenant, transactionId, biometricsId: confirmationId });
  return publicUrl + biometricsPath(token);
}
