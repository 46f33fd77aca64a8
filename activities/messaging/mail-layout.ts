import { Eta } from 'eta';
import type { Language } from '../../domain/language';

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
  footer: string;
}

// All mail programs support tables and inline styles. Some also support the style block, which only adds dark colors.
// `format-detection` keeps mail programs from showing the code as a phone number with a link.
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
  .page { background: #12161c !important; }
  .card { background: #1c222b !important; border-color: #303845 !important; }
  .text { color: #e8ecf2 !important; }
  .secondary { color: #9aa5b5 !important; }
  .code { background: #262e3a !important; border-color: #3b4657 !important; color: #ffffff !important; }
  .link { color: #8fb4ff !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f2f4f7;">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f2f4f7;">
<tr><td align="center" style="padding:32px 16px;">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:480px;background:#ffffff;border:1px solid #dfe4ea;border-radius:14px;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;">
<tr><td class="text" style="padding:28px 32px 0;font-size:15px;font-weight:700;letter-spacing:0.02em;color:#1b2330;"><%= it.brand %></td></tr>
<tr><td class="text" style="padding:20px 32px 0;font-size:16px;line-height:1.55;color:#1b2330;">
<% for (const paragraph of it.paragraphs) { %><p class="text" style="margin:0 0 12px;color:#1b2330;"><%= paragraph %></p>
<% } %></td></tr>
<% if (it.code) { %><tr><td align="center" style="padding:12px 32px 8px;">
<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="code" style="padding:16px 16px 16px 28px;background:#f4f6fa;border:1px solid #d5dce6;border-radius:10px;font-family:ui-monospace,Menlo,Consolas,'Courier New',monospace;font-size:34px;line-height:1.1;font-weight:700;letter-spacing:12px;color:#10151d;"><%= it.code %></td></tr></table>
</td></tr>
<% } %><% if (it.repliesText) { %><tr><td class="text" style="padding:4px 32px 8px;font-size:15px;line-height:1.55;font-weight:600;color:#1b2330;"><%= it.repliesText %></td></tr>
<% } %><% if (it.action) { %><tr><td align="center" style="padding:16px 32px 8px;">
<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td bgcolor="#1f5eff" style="border-radius:10px;">
<a href="<%= it.action.link %>" style="display:inline-block;padding:14px 28px;font-size:16px;line-height:1;font-weight:600;color:#ffffff;text-decoration:none;"><%= it.action.button %></a>
</td></tr></table>
</td></tr>
<tr><td class="secondary" style="padding:12px 32px 28px;font-size:12px;line-height:1.6;color:#66707f;word-break:break-all;"><%= it.action.linkIntro %><br><a class="link" href="<%= it.action.link %>" style="color:#1f5eff;"><%= it.action.link %></a></td></tr>
<% } %><% if (it.deny) { %><tr><td style="padding:0 32px 28px;font-size:16px;line-height:1.55;"><a class="link" href="<%= it.deny.link %>" style="color:#1f5eff;font-weight:600;"><%= it.deny.label %></a></td></tr>
<% } %></table>
<p class="secondary" style="max-width:480px;margin:16px auto 0;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:12px;line-height:1.6;color:#66707f;"><%= it.footer %></p>
</td></tr>
</table>
</body>
</html>
`;

const eta = new Eta({ autoEscape: true, autoTrim: false });
const compiledLayout = eta.compile(layout);

/** Renders the HTML of a mail. */
export function renderMail(content: MailContent): string {
  return eta.render(compiledLayout, content);
}
