import { icon, toast } from './elements.mjs';
import { changed, clearAll, connect, isUnread, onChange, people, personOf } from './mailbox.mjs';
import { showPeople, walkWithArrows } from './people-list.mjs';
import { thread } from './thread.mjs';
import { choose, welcome } from './welcome.mjs';
import { channelName, formatAddress } from './format.mjs';

const inbox = document.getElementById('inbox');
const conversation = document.getElementById('conversation');
const search = document.getElementById('search');
const confirmDialog = document.getElementById('confirm');

/** The chosen app of each phone. Default: the app with the newest message. */
const chosenChannel = new Map();
let shown = { key: undefined };
let connected = false;

function selected() {
  try {
    return decodeURIComponent(location.hash.slice(2));
  } catch {
    return '';
  }
}

function showConversation(found) {
  const person = found.find(({ address }) => address === selected());
  if (!person) {
    const key = found.length === 0 ? 'welcome' : 'choose';
    if (shown.key !== key) {
      shown = { key };
      conversation.replaceChildren(key === 'welcome' ? welcome() : choose());
    }
    return;
  }
  const { address, messages, newest } = person;
  const channel = chosenChannel.get(address) ?? (shown.address === address ? shown.channel : newest.channel);
  const channels = ['sms', 'whatsapp'].filter((name) => messages.some((message) => message.channel === name));
  const key = [address, channel, ...channels].join();
  if (shown.key !== key) {
    const view = thread(address, channel, channels, (next) => {
      chosenChannel.set(address, next);
      changed();
    });
    shown = { key, address, channel, view };
    conversation.replaceChildren(view.element);
  }
  const unreadOf = (name) => messages.filter((message) => message.channel === name && isUnread(message)).length;
  shown.view.update(
    messages.filter((message) => message.channel === channel),
    unreadOf,
  );
}

onChange(() => {
  if (!connected) return;
  const found = people();
  inbox.classList.toggle(
    'has-thread',
    found.some(({ address }) => address === selected()),
  );
  inbox.classList.toggle('is-empty', found.length === 0);
  showPeople(found, selected());
  showConversation(found);
  const unread = found.reduce((sum, person) => sum + person.unread, 0);
  document.title = unread > 0 ? `(${unread}) Inbox · Countersign` : 'Inbox · Countersign';
});

connect({
  onState(state) {
    connected ||= state === 'live';
    const live = document.getElementById('live');
    live.textContent = state === 'live' ? 'Live' : 'Reconnecting';
    live.dataset.state = state;
  },
  onArrival(message) {
    if (isUnread(message) && personOf(message) !== selected()) {
      toast(`${channelName[message.channel]} for ${formatAddress(message.to)}`);
    }
  },
});

window.addEventListener('hashchange', () => {
  changed();
  if (matchMedia('(width < 760px)').matches) conversation.focus();
});
document.addEventListener('visibilitychange', changed);
search.addEventListener('input', changed);
walkWithArrows();

document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    search.focus();
  }
  if (event.key === 'Escape' && !isTyping && !confirmDialog.open) location.hash = '#/';
});

const clear = document.getElementById('clear');
clear.append(icon('bin'));
clear.addEventListener('click', () => {
  confirmDialog.returnValue = '';
  confirmDialog.showModal();
});
confirmDialog.addEventListener('close', () => {
  if (confirmDialog.returnValue === 'yes') clearAll().catch((error) => toast(error.message));
});
