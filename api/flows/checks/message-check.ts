import { type Channel, fillText } from '../../../domain/confirmation-settings';
import { createIssue, type FlowIssue } from '../../../domain/flows/flow-issue';
import { findForeignLink, linkHosts } from '../../../platform/message-links';
import { readSendingLimits, type SendingLimits } from '../../../platform/sending-limits';
import { charactersIn, smsSegments } from '../../../platform/sms-segments';

/** Checks a text of a message. Returns its issues with the path of the text. */
export type MessageCheck = (text: string, path: string, channel: Channel) => FlowIssue[];

/** The longest values of the placeholders. */
const longestValues = { brand: 'x'.repeat(40), code: '0'.repeat(10), minutes: '1440' };

/**
 * Values of the placeholders, to find links that are hidden in them. `minutes` is 1: in a text such as `1.2.3.{{minutes}}`, a small
 * number completes an IP address in most cases.
 */
const linkValues = { code: '123456', minutes: '1' };

/** Checks texts by the limits of the service and these allowed domains, for tools that do not know a tenant. */
export function createDefaultMessageCheck(linkDomains: readonly string[] = []): MessageCheck {
  const limits = readSendingLimits({ SENDING_LIMITS: '{}', COUNTERSIGN_ENV: 'local' })('default');
  return createMessageCheck({ ...limits, linkDomains });
}

/**
 * Checks texts by the limits of a tenant: foreign links, and SMS that are too expensive. `brand`: the value of {{brand}}. If it is a
 * domain, {{brand}} may be a link to it.
 */
export function createMessageCheck(
  { linkDomains, segmentsPerMessage }: Pick<SendingLimits, 'linkDomains' | 'segmentsPerMessage'>,
  brand = 'Countersign',
): MessageCheck {
  return (text, path, channel) => {
    const link =
      findForeignLink(text, linkDomains) ??
      findForeignLink(fillText(text, { ...linkValues, brand }), [...linkDomains, ...linkHosts(brand)]);
    const longestText = fillText(text, longestValues);
    const segments = channel === 'sms' ? smsSegments(longestText) : 1;
    return [
      ...(link === undefined
        ? []
        : [
            createIssue(
              'link-not-allowed',
              path,
              `The text has the link ${link.slice(0, 60)}.`,
              linkDomains.length > 0
                ? `Remove it, or use one of the allowed domains: ${linkDomains.join(', ')}.`
                : 'Remove it, or ask the operator to add its domain to linkDomains in SENDING_LIMITS.',
            ),
          ]),
      ...(segments > segmentsPerMessage
        ? [
            createIssue(
              'too-many-segments',
              path,
              `With the longest values, the SMS has up to ${longestText.length} characters in ${segments} segments, and each segment is billed as one message.`,
              `Shorten it to ${segmentsPerMessage} ${segmentsPerMessage === 1 ? 'segment' : 'segments'}: ${charactersIn(segmentsPerMessage, 'gsm')} characters, or ${charactersIn(segmentsPerMessage, 'unicode')} with a letter outside the GSM alphabet, such as ã or ç.`,
            ),
          ]
        : []),
    ];
  };
}
