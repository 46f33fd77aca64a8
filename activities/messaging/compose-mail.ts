import type { OutgoingMessage } from './channel';
import { renderMail } from './mail-layout';
import { mailTexts } from './mail-texts';

export interface Mail {
  subject: string;
  text: string;
  html: string;
}

/** The mail of a message: the same text as plain text and as HTML, both with the links to the hosted page. */
export function composeMail(message: OutgoingMessage, brand: string): Mail {
  const { flow: settings, language, text: body, code, link, denyLink } = message;
  const texts = mailTexts[language];
  const subject = message.subject ?? brand;
  const options = settings.kind === 'secondFactor' ? (settings.options ?? []).map(({ label }) => label[language]) : [];
  const answers = options.length > 0 ? `${texts.answers} ${options.join(' / ')}` : undefined;
  const deny = denyLink && `${texts.deny}: ${denyLink}`;
  const action =
    link === undefined || settings.kind === 'notice'
      ? undefined
      : { button: texts.button[settings.kind], link, address: texts.address };
  const text = [body, answers, action && `${action.button}: ${action.link}`, deny, `--\n${brand}\n${texts.footer}`]
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
    ...(denyLink === undefined ? {} : { deny: { label: texts.deny, link: denyLink } }),
    footer: texts.footer,
  });
  return { subject, text, html };
}
