import { copyText, createElement, createIcon } from './elements.mjs';
import { findCodes, splitLinks } from './format.mjs';

/** The text of a message with its links made clickable. */
export function renderText(text) {
  const segments = splitLinks(text).map((segment) =>
    segment.url
      ? createElement('a', { href: segment.url, target: '_blank', rel: 'noopener noreferrer' }, segment.text)
      : segment.text,
  );
  return createElement('p', { class: 'text' }, segments);
}

/** The codes of a message, in large digits. A click copies a code. */
export function renderCodeChips(text) {
  const codes = findCodes(text);
  if (codes.length === 0) return undefined;
  const chips = codes.map((code) =>
    createElement(
      'button',
      {
        class: 'code',
        type: 'button',
        'aria-label': `Copy code ${code}`,
        click: () => copyText(code, `${code} copied`),
      },
      createElement('span', { class: 'digits' }, code),
      createIcon('copy'),
    ),
  );
  return createElement('div', { class: 'codes' }, chips);
}

const statusIcons = {
  queued: ['clock', 'Queued'],
  sent: ['tick', 'Sent'],
  delivered: ['ticks', 'Delivered'],
  read: ['ticks', 'Read'],
  undelivered: ['warning', 'Not delivered'],
};

/** The delivery status as an icon; undefined for replies of the person. */
export function renderStatus(message) {
  const [iconName, label] = statusIcons[message.status] ?? [];
  if (!iconName || message.direction === 'inbound') return undefined;
  const errorText = message.errorCode ? ` (${message.errorCode})` : '';
  return createElement(
    'span',
    { class: `state state-${message.status}`, title: `${label}${errorText}` },
    createIcon(iconName, `${label}${errorText}`),
  );
}
