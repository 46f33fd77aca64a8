import { h, icon, keyedChildren } from './elements.mjs';
import { channelName, formatAddress, formatWhen } from './format.mjs';

const list = document.getElementById('people');
const emptyNotice = document.getElementById('no-people');
const search = document.getElementById('search');
const show = keyedChildren(list);

/** Shows the phones and mailboxes that match the search, and marks the selected one. */
export function showPeople(people, selected) {
  const term = search.value.trim().toLowerCase();
  const found = people.filter((person) => matches(person, term));
  show(
    found,
    (person) => person.address,
    ({ address, newest, unread }) => [newest.id, newest.status, unread, address === selected].join(),
    (person) => entry(person, person.address === selected),
  );
  emptyNotice.hidden = found.length > 0;
  emptyNotice.textContent =
    people.length === 0 ? 'Phones and mailboxes appear here after their first message.' : 'Nothing found.';
}

function matches({ address, messages }, term) {
  if (term === '' || address.includes(term)) return true;
  const digits = term.replace(/[\s()+-]/g, '');
  if (/^\d+$/.test(digits) && address.includes(digits)) return true;
  return messages.some(({ text, subject }) => `${subject ?? ''} ${text}`.toLowerCase().includes(term));
}

function entry({ address, kind, newest, unread }, isSelected) {
  const preview = newest.subject || newest.text;
  const channels = newest.direction === 'inbound' ? `You, ${channelName[newest.channel]}` : channelName[newest.channel];
  return h(
    'li',
    {},
    h(
      'a',
      { class: 'person', href: `#/${encodeURIComponent(address)}`, 'aria-current': isSelected && 'true' },
      h('span', { class: `face face-${newest.channel}` }, icon(kind)),
      h('span', { class: 'who' }, formatAddress(address)),
      h('time', { datetime: newest.createdAt }, formatWhen(newest.createdAt)),
      h('span', { class: 'preview' }, h('span', { class: 'via' }, channels), preview),
      unread > 0 &&
        h('span', { class: 'count', 'aria-label': `${unread} unread` }, unread > 99 ? '99+' : String(unread)),
    ),
  );
}

/** Arrow keys walk through the list. */
export function walkWithArrows() {
  document.querySelector('.people').addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const links = [...list.querySelectorAll('a')];
    const next = links.indexOf(document.activeElement) + step;
    event.preventDefault();
    if (next < 0) search.focus();
    else links[Math.min(next, links.length - 1)]?.focus();
  });
}
