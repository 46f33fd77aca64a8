import type { OutgoingMessage } from './channel';
import { renderMail } from './mail-layout';
import { mailTexts } from './mail-texts';

export interface Mail {
  subject: string;
  text: string;
  html: string;
}

/** The mail of a message: the same words as plain text and as HTML, each with the links to the hosted page. */
export function composeMail(message: OutgoingMessage, brand: string): Mail {
  const { flow: settings, language, text: body, code, link, denyLink } = message;
  const words = mailTexts[language];
  const subject = message.subject ?? brand;
  const options = settings.kind === 'secondFactor' ? (settings.options ?? []).map(({ label }) => label[language]) : [];
  const answers = options.length > 0 ? `${words.answers} ${options.join(' / ')}` : undefined;
  const deny = denyLink && `${words.deny}: ${denyLink}`;
  const action =
    link === undefined || settings.kind === 'notice'
      ? undefined
      : { button: words.button[settings.kind], link, address: words.address };
  const text = [body, answers, action && `${action.button}: ${action.link}`, deny, `--\n${brand}\n${words.footer}`]
    .filter(Boolean)
    .join('\n\n');
  const html = renderMail({
    language,
    brand,
    subject,
    paragraphs: body.split(/\n+/),
    ...(code === undefined ? {} : { code }),
    ...(answers === undefined ? {} : { answers }),
    ...(action === undefined ? {} : { action }),
    ...(denyLink === undefined ? {} : { deny: { label: words.deny, link: denyLink } }),
    footer: words.footer,
  });
  return { subject, text, html };
}
