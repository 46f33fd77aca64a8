import PostalMime from 'postal-mime';
import { type Message, newSid } from '../message';

/** Makes one message per recipient of a mail as it came over SMTP; blind copies included. */
export async function parseMail(raw: Buffer, recipients: string[], sender: string): Promise<Message[]> {
  const mail = await PostalMime.parse(raw);
  const now = new Date().toISOString();
  // Parts end with the line break in front of the MIME boundary, which is nobody's text.
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

/** A rough reading of a mail that has no text part. */
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
