import { createElement, createIcon, createListRenderer } from './elements.mjs';
import { channelNames, formatAddress, formatTimeOrDate } from './format.mjs';

const list = document.getElementById('people');
const emptyNotice = document.getElementById('no-people');
const searchInput = document.getElementById('search');
const renderList = createListRenderer(list);

/** Shows the phones and mailboxes that match the search, and marks the selected one. */
export function showPeople(people, selected) {
  const searchTerm = searchInput.value.trim().toLowerCase();
  const matchingPeople = people.filter((person) => matches(person, searchTerm));
  renderList(
    matchingPeople,
    (person) => person.address,
    ({ address, newest, unread }) => [newest.id, newest.status, unread, address === selected].join(),
    (person) => renderPerson(person, person.address === selected),
  );
  emptyNotice.hidden = matchingPeople.length > 0;
  emptyNotice.textContent =
    people.length === 0 ? 'Phones and mailboxes appear here after their first message.' : 'Nothing found.';
}

function matches({ address, messages }, term) {
  if (term === '' || address.includes(term)) return true;
  const digits = term.replace(/[\s()+-]/g, '');
  if (/^\d+$/.test(digits) && address.includes(digits)) return true;
  return messages.some(({ text, subject }) => `${subject ?? ''} ${text}`.toLowerCase().includes(term));
}

function renderPerson({ address, kind, newest, unread }, isSelected) {
  const preview = newest.subject || newest.text;
  const channelText =
    newest.direction === 'inbound' ? `You, ${channelNames[newest.channel]}` : channelNames[newest.channel];
  return createElement(
    'li',
    {},
    createElement(
      'a',
      { class: 'person', href: `#/${encodeURIComponent(address)}`, 'aria-current': isSelected && 'true' },
      createElement('span', { class: `face face-${newest.channel}` }, createIcon(kind)),
      createElement('span', { class: 'who' }, formatAddress(address)),
      createElement('time', { datetime: newest.createdAt }, formatTimeOrDate(newest.createdAt)),
      createElement('span', { class: 'preview' }, createElement('span', { class: 'via' }, channelText), preview),
      unread > 0 &&
        createElement(
          'span',
          { class: 'count', 'aria-label': `${unread} unread` },
          unread > 99 ? '99+' : String(unread),
        ),
    ),
  );
}

/** Lets the user move through the list with the arrow keys. */
export function enableArrowKeys() {
  document.querySelector('.people').addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const links = [...list.querySelectorAll('a')];
    const next = links.indexOf(document.activeElement) + step;
    event.preventDefault();
    if (next < 0) searchInput.focus();
    else links[Math.min(next, links.length - 1)]?.focus();
  });
}
