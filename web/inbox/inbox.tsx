import { useEffect, useRef, useState } from 'preact/hooks';
import { showToast } from '../app/messages';
import { useHash } from '../app/use-hash';
import { useTexts } from '../app/use-texts';
import { tabTitle, waitingInTab } from '../app/view';
import { Conversation } from './conversation';
import { DeleteAll } from './delete-all';
import { formatAddress } from './format';
import { inboxTexts } from './inbox-texts';
import { type Channel, isUnread, listPeople, type Message, personAddressOf } from './message';
import { PeopleList } from './people-list';
import { useMailbox } from './use-mailbox';
import { ChooseNotice, Welcome } from './welcome';

/** Below this width, the page shows either the list or a conversation: see narrow.css. */
const narrow = '(width < 760px)';

/** The phone or mailbox in the hash `#/{address}`. Empty if the hash has no address. */
function addressIn(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(2));
  } catch {
    return '';
  }
}

/** The phones and mailboxes of the local stack. */
export function Inbox() {
  const texts = useTexts(inboxTexts);
  const selected = addressIn(useHash());
  const [search, setSearch] = useState('');
  const [chosen] = useState(() => new Map<string, Channel>());
  const searchInput = useRef<HTMLInputElement>(null);
  const conversation = useRef<HTMLDivElement>(null);
  const { connection, messages } = useMailbox((message: Message) => {
    if (isUnread(message) && personAddressOf(message) !== selected)
      showToast(texts.arrived(texts.channels[message.channel], formatAddress(message.to)));
  });
  const people = messages && listPeople(messages);
  const person = people?.find(({ address }) => address === selected);
  const unread = people?.reduce((sum, one) => sum + one.unread, 0) ?? 0;

  useEffect(() => tabTitle.set(texts.title), [texts]);
  useEffect(() => waitingInTab.set(unread > 0 ? String(unread) : ''), [unread]);
  useEffect(() => {
    if (selected && matchMedia(narrow).matches) conversation.current?.focus();
  }, [selected]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select, dialog');
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape') location.hash = '#/';
      if (event.key !== '/') return;
      event.preventDefault();
      searchInput.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  const isEmpty = people?.length === 0;
  return (
    <div class={`inbox${person ? ' has-thread' : ''}${isEmpty ? ' is-empty' : ''}`}>
      {/* This title is for screen readers. The visible title is hidden while a narrow window shows a conversation. */}
      <h1 class="unseen">{texts.title}</h1>
      <div class="side">
        <header class="side-head">
          <p class="side-title" aria-hidden="true">
            {texts.title}
          </p>
          <span class={`connection connection-${connection}`} role="status">
            {texts.connection[connection]}
          </span>
          {people && !isEmpty && <DeleteAll />}
        </header>
        {people && (
          <PeopleList
            people={people}
            selected={selected}
            search={search}
            onSearch={setSearch}
            searchInput={searchInput}
          />
        )}
      </div>
      <div class="conversation" tabIndex={-1} ref={conversation}>
        {person && <Conversation key={person.address} person={person} chosen={chosen} />}
        {people && !person && (isEmpty ? <Welcome /> : <ChooseNotice />)}
      </div>
    </div>
  );
}
