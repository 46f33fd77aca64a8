import { fillText } from '../../domain/confirmations/settings';
import { type CodeKeys, deriveCode, digestCorrectCode } from '../../messages/codes';
import {
  biometricsPath,
  biometricsToken,
  callPath,
  hashBiometricsToken,
  hostedPagePath,
  type LinkPurpose,
} from '../../messages/links';
import type { Activities, MessageToDeliver } from '../../workflows/contract/activities';
import type { MessageContent, OutgoingMessage } from '../providers/provider';

/**
 * The message as the person reads it, with links that begin with `publicUrl`. Every attempt to send the message derives the same code and
 * the same links from the keys. The code and the links are never stored.
 */
export function composeMessage(keys: CodeKeys, publicUrl: string, message: MessageToDeliver): OutgoingMessage {
  const { tenant, sendId, settings, language, brand, destination } = message;
  const { subject, body } = message.message;
  const content = contentOf(keys, publicUrl, message);
  const values = valuesOf(content);
  return {
    tenant,
    sendId,
    settings,
    language,
    ...(brand ? { brand } : {}),
    destination,
    text: fillText(body, values),
    ...(subject === undefined ? {} : { subject: fillText(subject, values) }),
    content,
  };
}

/** The values of the placeholders that a stored text still has. */
function valuesOf(content: MessageContent): Record<string, string> {
  if (content.kind === 'token') return { code: content.code };
  return content.kind === 'link' ? { link: content.link } : {};
}

/** The code and the links of a message, which only the person may see. */
function contentOf(keys: CodeKeys, publicUrl: string, message: MessageToDeliver): MessageContent {
  const { tenant, transactionId, confirmationOrLinkId, settings } = message;
  const { kind, codeDigits } = settings;
  const pageLink = (purpose: LinkPurpose) =>
    publicUrl + hostedPagePath(keys, { ...message, confirmationId: confirmationOrLinkId, purpose });
  if (kind === 'biometricsResult') return { kind };
  if (kind === 'secondFactor') return { kind, link: pageLink('answer') };
  if (kind === 'link') {
    const token = biometricsToken(keys, { tenant, transactionId, biometricsId: confirmationOrLinkId });
    return { kind, link: publicUrl + biometricsPath(token) };
  }
  const code = deriveCode(keys, transactionId, message.codeId ?? confirmationOrLinkId, codeDigits, message.destination);
  return {
    kind,
    code,
    link: pageLink('answer'),
    denyLink: pageLink('deny'),
    callUrl: publicUrl + callPath(keys, message),
  };
}

/**
 * The activities that derive a code or a link of a flow run. The workflow has no keys, so activities do this. They return only the digest
 * of the code, or the hash of the link, so that the code and the link never reach the workflow.
 */
export function createHashActivities(keys: CodeKeys): Pick<Activities, 'digestCode' | 'hashLink'> {
  return {
    digestCode: async ({ transactionId, confirmationId, ...settings }) => ({
      digest: digestCorrectCode(keys, transactionId, confirmationId, settings),
    }),
    hashLink: async (link) => ({ tokenHash: hashBiometricsToken(biometricsToken(keys, link)) }),
  };
}
