import { createIcon, showToast } from './elements.mjs';
import { scheduleUpdate, clearAll, connect, isUnread, onChange, listPeople, personAddressOf } from './mailbox.mjs';
import { showPeople, enableArrowKeys } from './people-list.mjs';
import { createThread } from './thread.mjs';
import { renderChooseNotice, renderWelcome } from './welcome.mjs';
import { channelNames, formatAddress } from './format.mjs';

const inbox = document.getElementById('inbox');
const conversation = document.getElementById('conversation');
const searchInput = document.getElementById('search');
const confirmDialog = document.getElementById('confirm');

/** The chosen app of each phone. Default: the app with the newest message. */
const chosenChannels = new Map();
let shownConversation = { key: undefined };
let connected = false;

function readSelectedAddress() {
  try {
    return decodeURIComponent(location.hash.slice(2));
  } catch {
    return '';
  }
}

function showConversation(allPeople) {
  const person = allPeople.find(({ address }) => address === readSelectedAddress());
  if (!person) {
    const key = allPeople.length === 0 ? 'welcome' : 'choose';
    if (shownConversation.key !== key) {
      shownConversation = { key };
      conversation.replaceChildren(key === 'welcome' ? renderWelcome() : renderChooseNotice());
    }
    return;
  }
  const { address, messages, newest } = person;
  const channel =
    chosenChannels.get(address) ?? (shownConversation.address === address ? shownConversation.channel : newest.channel);
  const channels = ['sms', 'whatsapp'].filter((name) => messages.some((message) => message.channel === name));
  const key = [address, channel, ...channels].join();
  if (shownConversation.key !== key) {
    const view = createThread(address, channel, channels, (chosenChannel) => {
      chosenChannels.set(address, chosenChannel);
      scheduleUpdate();
    });
    shownConversation = { key, address, channel, view };
    conversation.replaceChildren(view.element);
  }
  const countUnread = (name) => messages.filter((message) => message.channel === name && isUnread(message)).length;
  shownConversation.view.update(
    messages.filter((message) => message.channel === channel),
    countUnread,
  );
}

onChange(() => {
  if (!connected) return;
  const allPeople = listPeople();
  inbox.classList.toggle(
    'has-thread',
    allPeople.some(({ address }) => address === readSelectedAddress()),
  );
  inbox.classList.toggle('is-empty', allPeople.length === 0);
  showPeople(allPeople, readSelectedAddress());
  showConversation(allPeople);
  const unread = allPeople.reduce((sum, person) => sum + person.unread, 0);
  document.title = unread > 0 ? `(${unread}) Inbox · Countersign` : 'Inbox · Countersign';
});

connect({
  onState(state) {
    connected ||= state === 'live';
    const connectionStatus = document.getElementById('live');
    connectionStatus.textContent = state === 'live' ? 'Live' : 'Reconnecting';
    connectionStatus.dataset.state = state;
  },
  onArrival(message) {
    if (isUnread(message) && personAddressOf(message) !== readSelectedAddress()) {
      showToast(`${channelNames[message.channel]} for ${formatAddress(message.to)}`);
    }
  },
});

window.addEventListener('hashchange', () => {
  scheduleUpdate();
  if (matchMedia('(width < 760px)').matches) conversation.focus();
});
document.addEventListener('visibilitychange', scheduleUpdate);
searchInput.addEventListener('input', scheduleUpdate);
enableArrowKeys();

document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    searchInput.focus();
  }
  if (event.key === 'Escape' && !isTyping && !confirmDialog.open) location.hash = '#/';
});

const clearButton = document.getElementById('clear');
clearButton.append(createIcon('bin'));
clearButton.addEventListener('click', () => {
  confirmDialog.returnValue = '';
  confirmDialog.showModal();
});
confirmDialog.addEventListener('close', () => {
  if (confirmDialog.returnValue === 'yes') clearAll().catch((error) => showToast(error.message));
});
