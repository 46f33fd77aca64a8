import type { Ref } from 'preact';
import { useRef } from 'preact/hooks';
import { useLocale } from '../app/dates';
import { useTexts } from '../app/use-texts';
import { Icon } from '../kit/icon';
import { formatAddress, formatTimeOrDate } from './format';
import { inboxTexts } from './inbox-texts';
import type { Person } from './message';

/** Whether a person matches a search. `term`: the searched text in lower case. */
function matches({ address, messages }: Person, term: string): boolean {
  if (term === '' || address.includes(term)) return true;
  const digits = term.replace(/[\s()+-]/g, '');
  if (/^\d+$/.test(digits) && address.includes(digits)) return true;
  return messages.some(({ text, subject }) => `${subject ?? ''} ${text}`.toLowerCase().includes(term));
}

/** The phones and mailboxes that match the search. The arrow keys move through the list. */
export function PeopleList({
  people,
  selected,
  search,
  onSearch,
  searchInput,
}: {
  people: readonly Person[];
  /** The address of the person whose conversation is shown. */
  selected: string;
  search: string;
  onSearch: (search: string) => void;
  searchInput: Ref<HTMLInputElement>;
}) {
  const texts = useTexts(inboxTexts);
  const list = useRef<HTMLElement>(null);
  const found = people.filter((person) => matches(person, search.trim().toLowerCase()));
  const moveFocus = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const targets = [...(list.current?.querySelectorAll<HTMLElement>('input, a') ?? [])];
    const next = targets.findIndex((target) => target === document.activeElement) + step;
    targets[Math.max(0, Math.min(next, targets.length - 1))]?.focus();
  };
  return (
    <section class="people" aria-label={texts.list.label} ref={list} onKeyDown={moveFocus}>
      <input
        class="field-control"
        type="search"
        ref={searchInput}
        value={search}
        placeholder={texts.list.searchHint}
        aria-label={texts.list.search}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => onSearch(currentTarget.value)}
      />
      {found.length === 0 && (
        <p class="no-people">{people.length === 0 ? texts.list.empty : texts.list.nothingFound}</p>
      )}
      <nav aria-label={texts.list.conversations}>
        <ul>
          {found.map((person) => (
            <PersonRow key={person.address} person={person} isSelected={person.address === selected} />
          ))}
        </ul>
      </nav>
    </section>
  );
}

function PersonRow({ person: { address, kind, newest, unread }, isSelected }: { person: Person; isSelected: boolean }) {
  const texts = useTexts(inboxTexts);
  const locale = useLocale();
  const channel = texts.channels[newest.channel];
  return (
    <li>
      <a class="person" href={`#/${encodeURIComponent(address)}`} aria-current={isSelected ? 'true' : undefined}>
        <span class={`face face-${newest.channel}`}>
          <Icon name={kind} />
        </span>
        <span class="who">{formatAddress(address)}</span>
        <time dateTime={newest.createdAt}>{formatTimeOrDate(newest.createdAt, locale)}</time>
        <span class="preview">
          <span>{newest.direction === 'inbound' ? `${texts.list.you}, ${channel}` : channel}</span> ·{' '}
          {newest.subject || newest.text}
        </span>
        {unread > 0 && (
          <span class="count" role="img" aria-label={texts.list.unread(unread)}>
            {unread > 99 ? '99+' : unread}
          </span>
        )}
      </a>
    </li>
  );
}
