import { type Channel, fillText } from '../../../domain/confirmations/settings';
import { createIssue, type FlowIssue } from '../../../domain/flows/flow-issue';
import { quote, quoteAll } from '../../../domain/text';
import { findForeignLink, linkHosts } from '../../../messages/foreign-links';
import { charactersIn, readSendingLimits, type SendingLimits, smsSegments } from '../../../messages/sending-limits';

/** Checks a text of a message. Returns the issues of the text. `path`: where the text is in the flow. */
export type MessageCheck = (text: string, path: string, channel: Channel) => FlowIssue[];

/** The longest values of the placeholders, to find the longest possible text. */
const longestValues = { brand: 'x'.repeat(40), code: '0'.repeat(10), minutes: '1440' };

/**
 * The values of the placeholders for the search for links. `minutes` is small, so that the search finds `1.2.3.{{minutes}}`: the last
 * number of an IP address is at most 255.
 */
const linkValues = { code: '123456', minutes: '1' };

/**
 * Creates a check for tools that do not know a tenant. The check uses the limits of the service. `linkDomains`: domains to which texts may
 * have links.
 */
export function createDefaultMessageCheck(linkDomains: readonly string[] = []): MessageCheck {
  const limits = readSendingLimits({ SENDING_LIMITS: '{}', COUNTERSIGN_ENV: 'local' })('default');
  return createMessageCheck({ ...limits, linkDomains });
}

/**
 * Creates a check by the limits of a tenant. It finds links to domains that are not allowed, and SMS with too many segments. `brand`: the
 * value of {{brand}}. If the brand is a domain, {{brand}} makes a link to this domain, and this link is allowed. `codeLines`: the lines that
 * autofill adds to an SMS with a code.
 */
export function createMessageCheck(
  { linkDomains, segmentsPerMessage }: Pick<SendingLimits, 'linkDomains' | 'segmentsPerMessage'>,
  brand = 'Countersign',
  codeLines = '',
): MessageCheck {
  return (text, path, channel) => {
    const link =
      findForeignLink(text, linkDomains) ??
      findForeignLink(fillText(text, { ...linkValues, brand }), [...linkDomains, ...linkHosts(brand)]);
    const sentText = channel === 'sms' && text.includes('{{code}}') ? text + codeLines : text;
    const longestText = fillText(sentText, longestValues);
    const segments = channel === 'sms' ? smsSegments(longestText) : 1;
    return [
      ...(link === undefined
        ? []
        : [
            createIssue(
              'link-not-allowed',
              path,
              `The text has the link ${quote(link.slice(0, 60))}.`,
              linkDomains.length > 0
                ? `Remove the link, or use one of the allowed domains: ${quoteAll(linkDomains)}.`
                : 'Remove the link, or ask the operator to add its domain to `linkDomains` in `SENDING_LIMITS`.',
            ),
          ]),
      ...(segments > segmentsPerMessage
        ? [
            createIssue(
              'too-many-segments',
              path,
              `With the longest values of the placeholders, the SMS has ${longestText.length} characters in ${segments} segments. Each segment is billed as one message.`,
              `Shorten the text to ${segmentsPerMessage} ${segmentsPerMessage === 1 ? 'segment' : 'segments'}: at most ${charactersIn(segmentsPerMessage, 'gsm')} characters, or at most ${charactersIn(segmentsPerMessage, 'unicode')} characters if one of them is not in the GSM alphabet, such as ã or ç.`,
            ),
          ]
        : []),
    ];
  };
}
