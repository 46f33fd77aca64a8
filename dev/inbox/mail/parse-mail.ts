import PostalMime from 'postal-mime';
import { type Message, newSid } from '../message';

/** Creates one message per recipient of a mail, including blind copies. */
export async function parseMail(raw: Buffer, recipients: string[], sender: string): Promise<Message[]> {
  const mail = await PostalMime.parse(raw);
  const now = new Date().toISOString();
  // The line break before a MIME boundary is not part of the text.
  const html = mail.html?.trimEnd();
  return recipients.map((to) => ({
    id: newSid('EM'),
    channel: 'email',
    direction: 'outbound',
    to,
    from: mail.from?.address ?? sender,
    subject: mail.subject ?? '',
    text: mail.text?.trimEnd() ?? (html === undefined ? '' : textOf(html)),
    ...(html !== undefined && { html }),
    status: 'delivered',
    createdAt: now,
    updatedAt: now,
    sentAt: now,
  }));
}

/** An approximate text of a mail without a text part. */
function textOf(html: string): string {
  return html
    .replace(/<(style|script|head)\b[\s\S]*?<\/\1>/gi, '')
    .replace(/<(br|\/p|\/div|\/tr|\/h\d)\b[^>]*>/gi, '\n')
    .replace(/<[^>]+>/g, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/[ \t]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim();
}
