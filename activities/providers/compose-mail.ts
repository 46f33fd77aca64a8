import type { MessageContent, OutgoingMessage } from './provider';
import { Eta } from 'eta';
import { fitLogo, type MailBrand } from '../../domain/brand/brand';
import { backgrounds, paletteOf } from '../../domain/brand/colors';
import type { Language } from '../../domain/transactions/input';

export interface Mail {
  subject: string;
  text: string;
  html: string;
}

/**
 * The mail of a message. It has the same content as text and as HTML, both with the links to the hosted page, if there are any. `sender`: the name that a mail
 * without a brand of the tenant shows.
 */
export function composeMail(message: OutgoingMessage, sender: string): Mail {
  const { settings, language, text: body, content } = message;
  const { name: brand, mainColor, logo, supportUrl }: MailBrand = message.brand ?? { name: sender };
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
    ['--', brand, supportUrl && `${texts.help}: ${supportUrl}`, texts.footer].filter(Boolean).join('\n'),
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
    ...(mainColor === undefined ? {} : { colors: paletteOf({ main: mainColor }) }),
    ...(logo === undefined ? {} : { logo: { url: logo.url, ...fitLogo(logo, logoMax) } }),
    ...(supportUrl === undefined ? {} : { help: { label: texts.help, url: supportUrl } }),
    footer: texts.footer,
  });
  return { subject, text, html };
}

/** The size of a logo in a mail, in CSS pixels. */
const logoMax = { width: 160, height: 40 };

/** The content of a mail, as plain text. `renderMail` escapes it for HTML. */
export interface MailContent {
  language: Language;
  brand: string;
  subject: string;
  paragraphs: string[];
  code?: string;
  /** The possible replies to a question, in one sentence. */
  repliesText?: string;
  /** `button`: the label of the button. `linkIntro`: the text before the address of the link, for mail programs that show no buttons. */
  action?: { button: string; link: string; linkIntro: string };
  /** The link for a person who did not request the code. */
  deny?: { label: string; link: string };
  /** Absent: the colors of the service. */
  colors?: ReturnType<typeof paletteOf>;
  /** The size is in CSS pixels. */
  logo?: { url: string; width: number; height: number };
  /** Where the person gets help. */
  help?: { label: string; url: string };
  footer: string;
}

/** The colors of the pages (web/kit/style/tokens.css), by their names there. A mail cannot load a style sheet. */
const light = {
  ...backgrounds.light,
  ...{ ink: '#1c2330', soft: '#525c6b', faint: '#dfe4e8', code: '#f6f8f9' },
};
const dark = {
  ...backgrounds.dark,
  ...{ ink: '#e8ebf0', soft: '#a9b2bf', faint: '#2c3541', code: '#12171e' },
};

/** The colors of links and buttons without a brand. */
const serviceColors: ReturnType<typeof paletteOf> = {
  light: { strong: '#155e4b', onStrong: '#ffffff', strongSoft: '#e3f2ed' },
  dark: { strong: '#7fd6bc', onStrong: '#0c1f19', strongSoft: '#18332c' },
};

// All mail programs support tables and inline styles. Some also support the style block, which only adds dark colors.
// `format-detection` keeps mail programs from showing the code as a phone number with a link. A code has up to 10 digits, and must fit into
// 320 px, the smallest width of a phone. So more than 6 digits are smaller.
const layout = `<!doctype html>
<html lang="<%= it.language %>">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title><%= it.subject %></title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: ${dark.paper} !important; }
  .card { background: ${dark.card} !important; border-color: ${dark.faint} !important; }
  .text { color: ${dark.ink} !important; }
  .secondary { color: ${dark.soft} !important; }
  .code { background: ${dark.code} !important; border-color: ${dark.faint} !important; color: ${dark.ink} !important; }
  .button { background: <%= it.colors.dark.strong %> !important; color: <%= it.colors.dark.onStrong %> !important; }
  .link { color: <%= it.colors.dark.strong %> !important; }
  .logo { background: #ffffff !important; padding: 4px 6px; border-radius: 6px; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:${light.paper};">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:${light.paper};">
<tr><td align="center" style="padding:32px 8px;">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:480px;background:${light.card};border:1px solid ${light.faint};border-radius:14px;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;">
<tr><td style="padding:28px 24px 0;"><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<% if (it.logo) { %><td style="padding:0 10px 0 0;"><img class="logo" src="<%= it.logo.url %>" alt="" width="<%= it.logo.width %>" height="<%= it.logo.height %>" style="display:block;border:0;"></td>
<% } %><td class="text" style="font-size:15px;line-height:1.4;font-weight:700;letter-spacing:0.02em;color:${light.ink};"><%= it.brand %></td>
</tr></table></td></tr>
<tr><td class="text" style="padding:20px 24px 0;font-size:16px;line-height:1.55;color:${light.ink};">
<% for (const paragraph of it.paragraphs) { %><p class="text" style="margin:0 0 12px;overflow-wrap:anywhere;color:${light.ink};"><%= paragraph %></p>
<% } %></td></tr>
<% if (it.code) { %><tr><td align="center" style="padding:12px 24px 8px;">
<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="code" style="padding:16px 8px 16px <%= it.code.length > 6 ? 12 : 16 %>px;background:${light.code};border:1px solid ${light.faint};border-radius:10px;font-family:ui-monospace,Menlo,Consolas,'Courier New',monospace;white-space:nowrap;font-size:<%= it.code.length > 6 ? 26 : 34 %>px;line-height:1.1;font-weight:700;letter-spacing:<%= it.code.length > 6 ? 4 : 8 %>px;color:${light.ink};"><%= it.code %></td></tr></table>
</td></tr>
<% } %><% if (it.repliesText) { %><tr><td class="text" style="padding:4px 24px 8px;font-size:15px;line-height:1.55;font-weight:600;color:${light.ink};"><%= it.repliesText %></td></tr>
<% } %><% if (it.action) { %><tr><td align="center" style="padding:16px 24px 8px;">
<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="button" bgcolor="<%= it.colors.light.strong %>" style="border-radius:10px;background:<%= it.colors.light.strong %>;">
<a href="<%= it.action.link %>" class="button" style="display:inline-block;padding:14px 28px;font-size:16px;line-height:1;font-weight:600;white-space:nowrap;border-radius:10px;color:<%= it.colors.light.onStrong %>;text-decoration:none;"><%= it.action.button %></a>
</td></tr></table>
</td></tr>
<tr><td class="secondary" style="padding:12px 24px 28px;font-size:12px;line-height:1.6;color:${light.soft};"><%= it.action.linkIntro %><br><a class="link" href="<%= it.action.link %>" style="color:<%= it.colors.light.strong %>;word-break:break-all;"><%= it.action.link %></a></td></tr>
<% } %><% if (it.deny) { %><tr><td style="padding:0 24px 28px;font-size:16px;line-height:1.55;"><a class="link" href="<%= it.deny.link %>" style="color:<%= it.colors.light.strong %>;font-weight:600;"><%= it.deny.label %></a></td></tr>
<% } %></table>
<p class="secondary" style="max-width:480px;margin:16px auto 0;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:12px;line-height:1.6;color:${light.soft};"><% if (it.help) { %><a class="link" href="<%= it.help.url %>" style="color:<%= it.colors.light.strong %>;"><%= it.help.label %></a><br><% } %><%= it.footer %></p>
</td></tr>
</table>
</body>
</html>
`;

const eta = new Eta({ autoEscape: true, autoTrim: false });
const compiledLayout = eta.compile(layout);

/** Renders the HTML of a mail. */
export function renderMail(content: MailContent): string {
  return eta.render(compiledLayout, { colors: serviceColors, ...content });
}

/** The texts of mails, in addition to the message itself. */
export interface MailTexts {
  /** Label of the button that opens the hosted page. */
  button: Record<Exclude<MessageContent['kind'], 'biometricsResult'>, string>;
  /** Label of the link for a person who did not request the code. */
  deny: string;
  /** Text before the replies of a second factor. */
  repliesIntro: string;
  /** Text before the address of the page, for mail programs that show no buttons. */
  linkIntro: string;
  /** Label of the link to the support of the brand. */
  help: string;
  footer: string;
}

export const mailTexts: Record<Language, MailTexts> = {
  'pt-BR': {
    button: { token: 'Confirmar este e-mail', secondFactor: 'Responder', link: 'Tirar as fotos' },
    deny: 'Não fui eu que pedi',
    repliesIntro: 'Na página, escolha uma das respostas:',
    linkIntro: 'Se o botão não abrir, copie este endereço no navegador:',
    help: 'Ajuda',
    footer: 'Esta é uma mensagem automática. Não é preciso responder a ela.',
  },
  en: {
    button: { token: 'Confirm this e-mail', secondFactor: 'Answer', link: 'Take the pictures' },
    deny: 'I did not ask for this',
    repliesIntro: 'On the page, choose one of the answers:',
    linkIntro: 'If the button does not open, copy this address into your browser:',
    help: 'Help',
    footer: 'This message was sent automatically. There is no need to reply to it.',
  },
  es: {
    button: { token: 'Confirmar este correo', secondFactor: 'Responder', link: 'Tomar las fotos' },
    deny: 'Yo no lo pedí',
    repliesIntro: 'En la página, elija una de las respuestas:',
    linkIntro: 'Si el botón no se abre, copie esta dirección en el navegador:',
    help: 'Ayuda',
    footer: 'Este es un mensaje automático. No es necesario responderlo.',
  },
};
