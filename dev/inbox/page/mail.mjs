import { createElement, createIcon } from './elements.mjs';
import { renderText, renderCodeChips, renderStatus } from './message-parts.mjs';
import { formatTime } from './format.mjs';

/** One mail: its subject, codes and links, and its HTML in a sandboxed frame. */
export function renderMail(message) {
  const content = createElement('div', { class: 'mail-content' });
  const show = (kind) => {
    for (const tab of tabs) tab.setAttribute('aria-pressed', String(tab.value === kind));
    content.replaceChildren(kind === 'html' ? renderFrame(message) : renderText(message.text));
  };
  const tabs = ['html', 'text'].map((kind) =>
    createElement(
      'button',
      { type: 'button', value: kind, click: () => show(kind) },
      kind === 'html' ? 'HTML' : 'Plain text',
    ),
  );
  show(message.html === undefined ? 'text' : 'html');
  return createElement(
    'li',
    { class: 'line mail', 'data-id': message.id },
    createElement(
      'article',
      { 'aria-label': `Mail: ${message.subject}` },
      createElement(
        'header',
        {},
        createElement('h3', {}, message.subject || 'No subject'),
        createElement(
          'p',
          { class: 'mail-facts' },
          createElement('span', {}, message.from),
          createElement('time', { datetime: message.createdAt }, formatTime(message.createdAt)),
          renderStatus(message),
        ),
      ),
      renderCodeChips(message.text),
      renderLinkChips(message.links),
      message.html !== undefined &&
        createElement('div', { class: 'segments', role: 'group', 'aria-label': 'Show as' }, tabs),
      content,
    ),
  );
}

function renderFrame(message) {
  return createElement('iframe', {
    src: `/api/messages/${message.id}/html`,
    sandbox: 'allow-popups allow-popups-to-escape-sandbox',
    title: `Mail: ${message.subject}`,
    loading: 'lazy',
    referrerpolicy: 'no-referrer',
  });
}

function renderLinkChips(links) {
  if (links.length === 0) return undefined;
  const chips = links.map((link) =>
    createElement(
      'a',
      { class: 'link', href: link, target: '_blank', rel: 'noopener noreferrer', title: link },
      createIcon('link'),
      createElement('span', {}, link.replace(/^https?:\/\//, '')),
    ),
  );
  return createElement('div', { class: 'links' }, chips);
}
