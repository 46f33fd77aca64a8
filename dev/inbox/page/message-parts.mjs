import { copy, h, icon } from './elements.mjs';
import { codesIn, splitLinks } from './format.mjs';

/** The text of a message with its links made clickable. */
export function body(text) {
  const segments = splitLinks(text).map((segment) =>
    segment.url
      ? h('a', { href: segment.url, target: '_blank', rel: 'noopener noreferrer' }, segment.text)
      : segment.text,
  );
  return h('p', { class: 'text' }, segments);
}

/** The codes of a message, in large digits. A click copies a code. */
export function codeChips(text) {
  const codes = codesIn(text);
  if (codes.length === 0) return undefined;
  const chips = codes.map((code) =>
    h(
      'button',
      { class: 'code', type: 'button', 'aria-label': `Copy code ${code}`, click: () => copy(code, `${code} copied`) },
      h('span', { class: 'digits' }, code),
      icon('copy'),
    ),
  );
  return h('div', { class: 'codes' }, chips);
}

const states = {
  queued: ['clock', 'Queued'],
  sent: ['tick', 'Sent'],
  delivered: ['ticks', 'Delivered'],
  read: ['ticks', 'Read'],
  undelivered: ['warning', 'Not delivered'],
};

/** The delivery status, shown as ticks. */
export function state(message) {
  const [name, label] = states[message.status] ?? [];
  if (!name || message.direction === 'inbound') return undefined;
  const more = message.errorCode ? ` (${message.errorCode})` : '';
  return h('span', { class: `state state-${message.status}`, title: `${label}${more}` }, icon(name, `${label}${more}`));
}
