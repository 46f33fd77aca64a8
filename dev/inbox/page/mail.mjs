import { h, icon } from './elements.mjs';
import { body, codeChips, state } from './message-parts.mjs';
import { formatTime } from './format.mjs';

/** One mail: its subject, codes and links, and its HTML in a sandboxed frame. */
export function mail(message) {
  const content = h('div', { class: 'mail-content' });
  const show = (kind) => {
    for (const tab of tabs) tab.setAttribute('aria-pressed', String(tab.value === kind));
    content.replaceChildren(kind === 'html' ? frame(message) : body(message.text));
  };
  const tabs = ['html', 'text'].map((kind) =>
    h('button', { type: 'button', value: kind, click: () => show(kind) }, kind === 'html' ? 'Designed' : 'Plain text'),
  );
  show(message.html === undefined ? 'text' : 'html');
  return h(
    'li',
    { class: 'line mail', 'data-id': message.id },
    h(
      'article',
      { 'aria-label': `Mail: ${message.subject}` },
      h(
        'header',
        {},
        h('h3', {}, message.subject || 'No subject'),
        h(
          'p',
          { class: 'mail-facts' },
          h('span', {}, message.from),
          h('time', { datetime: message.createdAt }, formatTime(message.createdAt)),
          state(message),
        ),
      ),
      codeChips(message.text),
      linkChips(message.links),
      message.html !== undefined && h('div', { class: 'segments', role: 'group', 'aria-label': 'Show as' }, tabs),
      content,
    ),
  );
}

function frame(message) {
  return h('iframe', {
    src: `/api/messages/${message.id}/html`,
    sandbox: 'allow-popups allow-popups-to-escape-sandbox',
    title: `Mail: ${message.subject}`,
    loading: 'lazy',
    referrerpolicy: 'no-referrer',
  });
}

function linkChips(links) {
  if (links.length === 0) return undefined;
  const chips = links.map((link) =>
    h(
      'a',
      { class: 'link', href: link, target: '_blank', rel: 'noopener noreferrer', title: link },
      icon('link'),
      h('span', {}, link.replace(/^https?:\/\//, '')),
    ),
  );
  return h('div', { class: 'links' }, chips);
}
