import { copy, h, icon } from './elements.mjs';
import { codesIn, pieces } from './format.mjs';

/** The text of a message with its links made clickable. */
export function body(text) {
  const parts = pieces(text).map((piece) =>
    piece.url ? h('a', { href: piece.url, target: '_blank', rel: 'noopener noreferrer' }, piece.text) : piece.text,
  );
  return h('p', { class: 'text' }, parts);
}

/** The codes of a message, large enough to read from across the desk; a click copies. */
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

/** What the sender knows about the message: ticks, as on a phone. */
export function state(message) {
  const [name, label] = states[message.status] ?? [];
  if (!name || message.direction === 'inbound') return undefined;
  const more = message.errorCode ? ` (${message.errorCode})` : '';
  return h('span', { class: `state state-${message.status}`, title: `${label}${more}` }, icon(name, `${label}${more}`));
}
