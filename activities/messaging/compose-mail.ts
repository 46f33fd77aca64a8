import type { OutgoingMessage } from './channel';
import { renderMail } from './mail-layout';
import { mailTexts } from './mail-texts';

export interface Mail {
  subject: string;
  text: string;
  html: string;
}

/**
 * The mail of a message. It has the same content as text and as HTML, both with the links to the hosted page, if there are any. `brand`: the name of the
 * sender.
 */
export function composeMail(message: OutgoingMessage, brand: string): Mail {
  const { settings, language, text: body, content } = message;
  const texts = mailTexts[language];
  const subject = message.subject ?? brand;
  const replyLabels =
    content.kind === 'secondFactor' ? (settings.options ?? []).map(({ label }) => label[language]) : [];
  const repliesText = replyLabels.length > 0 ? `${texts.repliesIntro} ${replyLabels.join(' / ')}` : undefined;
  const action =
    content.kind === 'biometricsResult'
      ? undefined
      : { button: texts.button[content.kind], link: content.link, linkIntro: texts.linkIntro };
  const deny = content.kind === 'token' ? { label: texts.deny, link: content.denyLink } : undefined;
  const text = [
    body,
    repliesText,
    action && `${action.button}: ${action.link}`,
    deny && `${deny.label}: ${deny.link}`,
    `--\n${brand}\n${texts.footer}`,
  ]
    .filter(Boolean)
    .join('\n\n');
  const html = renderMail({
    language,
    brand,
    subject,
    paragraphs: body.split(/\n+/),
    ...(content.kind === 'token' ? { code: content.code } : {}),
    ...(repliesText === undefined ? {} : { repliesText }),
    ...(action === undefined ? {} : { action }),
    ...(deny === undefined ? {} : { deny }),
    footer: texts.footer,
  });
  return { subject, text, html };
}
