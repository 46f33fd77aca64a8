import PostalMime, { type Attachment } from 'postal-mime';

/** What a mail system reports about a mail that it had accepted. */
export type MailReport = {
  /** The Message-IDs that the report names, those of the returned mail first. */
  messageIds: string[];
} & (
  | {
      kind: 'bounce';
      /** The recipients that can certainly not get the mail. */
      failures: BounceFailure[];
    }
  /** `code`: the type of the complaint (RFC 5965, 7.3), such as `abuse`. */
  | { kind: 'complaint'; code: string }
);

/** A recipient that can certainly not get the mail. */
export interface BounceFailure {
  /** The enhanced status code (RFC 3463), such as `5.1.1`. */
  code: string;
  /** The mailbox as the service knows it, and as the last server does, if the report names them. */
  addresses: string[];
}

/** A report about one of our mails has one recipient. Reports about mails to more recipients are about mails of others. */
const recipientsMax = 20;
const messageIdsMax = 10;

/** postal-mime needs up to 15 µs for a line, on the main thread. A report of 256 KB, with lines of 76 characters, has 3,500. */
const linesMax = 5_000;

/** No mail system nests a report deeper, or has longer headers. postal-mime throws if a mail exceeds them. */
const parserLimits = { maxNestingDepth: 10, maxHeadersSize: 65_536 };

const bounceType = 'message/delivery-status';
/** RFC 6533: the type of the same report for addresses with letters beyond ASCII. */
const globalBounceType = 'message/global-delivery-status';
const complaintType = 'message/feedback-report';
const returnedTypes = /^(?:message\/(?:rfc822|global)|(?:text\/rfc822|message\/global)-headers)$/;

/**
 * Reads a delivery status notification (RFC 3464) or an abuse report (RFC 5965). Returns undefined for every other mail, and for one whose
 * structure is broken or too large: mail systems send more than reports to the address of bounces, such as automatic replies. The caller limits
 * the size of the mail.
 */
export async function readMailReport(mail: Buffer): Promise<MailReport | undefined> {
  if (countLines(mail) > linesMax) return undefined;
  const parsed = await PostalMime.parse(mail, {
    ...parserLimits,
    forceRfc822Attachments: true,
    attachmentEncoding: 'utf8',
  }).catch(() => undefined);
  if (!parsed) return undefined;
  const partOf = (...types: string[]) => parsed.attachments.find(({ mimeType }) => types.includes(mimeType));
  const returned = parsed.attachments.filter(({ mimeType }) => returnedTypes.test(mimeType));
  const idFields = returned.map((part) => readFields(textOf(part))[0]?.get('message-id') ?? '');
  // Some servers return nothing of the mail. RFC 3834, 3.1.5: an answer of a server names the mail in these fields.
  const messageIds = [...idFields, parsed.inReplyTo ?? '', parsed.references ?? '']
    .flatMap((text) => text.match(/<[^<>\s]{1,400}>/g) ?? [])
    .slice(0, messageIdsMax);
  const bounce = partOf(bounceType, globalBounceType);
  if (bounce) return { kind: 'bounce', messageIds, failures: readFailures(textOf(bounce)) };
  const complaint = partOf(complaintType);
  if (!complaint) return undefined;
  const type = readFields(textOf(complaint))[0]?.get('feedback-type')?.toLowerCase() ?? '';
  // RFC 6430: the person says that the mail is no spam.
  if (type === 'not-spam') return undefined;
  return { kind: 'complaint', messageIds, code: /^[a-z-]{1,30}$/.test(type) ? type : 'abuse' };
}

function countLines(mail: Buffer): number {
  let lines = 1;
  for (let at = mail.indexOf(10); at >= 0 && lines <= linesMax; at = mail.indexOf(10, at + 1)) lines += 1;
  return lines;
}

const textOf = ({ content }: Attachment): string => (typeof content === 'string' ? content : '');

/** The groups of header fields in a text, by lower-case name. Of a repeated field, the first counts. */
function readFields(text: string): Map<string, string>[] {
  const groups: Map<string, string>[] = [];
  for (const lines of text
    .replaceAll('\r\n', '\n')
    .trimStart()
    .split(/\n[ \t]*\n/, recipientsMax + 1)) {
    const group = new Map<string, string>();
    for (const line of lines.replace(/\n[ \t]+/g, ' ').split('\n')) {
      const colon = line.indexOf(':');
      const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
      if (name !== '' && !group.has(name)) group.set(name, line.slice(colon + 1).trim());
    }
    groups.push(group);
  }
  return groups;
}

const readFailures = (text: string): BounceFailure[] =>
  readFields(text).flatMap((group) => {
    const code = failureCodeOf(group);
    if (group.get('action')?.toLowerCase() !== 'failed' || code === undefined) return [];
    const addresses = ['original-recipient', 'final-recipient'].flatMap(
      (name) => addressIn(group.get(name) ?? '') ?? [],
    );
    return [{ code, addresses }];
  });

/**
 * The enhanced status code of a permanent failure. Some servers, such as Exim, say only `5.0.0`, and the reply of the other server is in the
 * diagnostic code. A digit or dot beside a code means that it is part of an IP address.
 */
function failureCodeOf(group: ReadonlyMap<string, string>): string | undefined {
  const status = /^5\.\d{1,3}\.\d{1,3}(?![\d.])/.exec(group.get('status') ?? '')?.[0];
  if (status === undefined || !status.endsWith('.0')) return status;
  return /(?<![\d.])5\.\d{1,3}\.\d{1,3}(?![\d.])/.exec(group.get('diagnostic-code') ?? '')?.[0] ?? status;
}

/** The address in a field such as `rfc822; <anna@example.com>`. Longer addresses than RFC 5321 allows are not read. */
const addressIn = (field: string): string | undefined =>
  /^(?:rfc822|utf-8)\s*;\s*<?([^<>\s]{1,320}@[^<>\s]{1,255})>?$/i.exec(field)?.[1];

/**
 * Whether a bounce with this enhanced status code says that mails can never arrive at the mailbox: there is no such mailbox or domain (5.1.x,
 * RFC 3463 and RFC 7505), or the mailbox is disabled (5.2.1). A full mailbox (5.2.2) has space again later, and the reason of a policy (5.7.x)
 * is the sender. 5.1.5 is a valid address, and 5.1.7 to 5.1.9 are about the sender and the way.
 */
export const stopsMailbox = (code: string): boolean => /^5\.(?:1\.(?:[1-46]|10)|2\.1)$/.test(code);
