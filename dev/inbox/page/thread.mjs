import { renderBubble } from './bubble.mjs';
import { createComposer } from './composer.mjs';
import { createElement, createIcon, createListRenderer, showToast } from './elements.mjs';
import { isUnread, markRead } from './mailbox.mjs';
import { renderMail } from './mail.mjs';
import { channelNames, formatAddress, formatDay } from './format.mjs';

/** Within this distance from the end, the conversation scrolls to new messages. */
const nearEndPixels = 120;

/** The conversation of one person over one channel. Returns its element and a function that updates it. */
export function createThread(address, channel, channels, onChannelChosen) {
  const messageList = createElement('ol', { class: 'lines', 'aria-label': 'Messages' });
  const scroller = createElement(
    'div',
    { class: 'scroller', tabindex: '0', role: 'region', 'aria-label': 'Conversation' },
    messageList,
  );
  const markReadButton = createElement(
    'button',
    { class: 'read-all', type: 'button', 'aria-label': 'Mark as read' },
    createIcon('eye'),
    createElement('span', {}, 'Mark as read'),
  );
  const replyBox = channel === 'email' ? undefined : createComposer();
  const tabBar = channels.length > 1 ? createTabs(channels, channel, onChannelChosen) : undefined;
  const element = createElement(
    'section',
    { class: `device device-${channel}`, 'aria-label': `${channelNames[channel]} of ${address}` },
    createElement(
      'header',
      { class: 'device-head' },
      createElement('a', { class: 'back', href: '#/', 'aria-label': 'Back to the list' }, createIcon('back')),
      createElement('h2', {}, formatAddress(address)),
      markReadButton,
    ),
    tabBar?.element,
    scroller,
    replyBox?.element,
  );
  const renderList = createListRenderer(messageList);
  let currentMessages = [];

  markReadButton.addEventListener('click', () => {
    Promise.all(currentMessages.filter(isUnread).map(({ id }) => markRead(id))).catch((error) =>
      showToast(error.message),
    );
  });

  return {
    element,
    update(messages, countUnread) {
      const isNearEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < nearEndPixels;
      const hasNewMessages = messages.length > currentMessages.length;
      currentMessages = messages;
      const orderedMessages = channel === 'email' ? messages.toReversed() : messages;
      renderList(insertDays(orderedMessages), keyOf, signatureOf, (item) =>
        item.day ? renderDay(item) : renderMessage(item),
      );
      markReadButton.hidden = !messages.some(isUnread);
      replyBox?.setTarget(messages.findLast(({ direction }) => direction === 'outbound'));
      if (isNearEnd && hasNewMessages && channel !== 'email') scroller.scrollTop = scroller.scrollHeight;
      tabBar?.updateCounts(countUnread);
      markSilentlyRead(messages);
    },
  };
}

/** Marks SMS and mails as read. Only WhatsApp reports this to the sender, so the person marks WhatsApp messages with a button. */
function markSilentlyRead(messages) {
  if (document.hidden) return;
  for (const message of messages) {
    if (message.channel !== 'whatsapp' && isUnread(message)) markRead(message.id).catch(() => undefined);
  }
}

const renderMessage = (message) => (message.channel === 'email' ? renderMail(message) : renderBubble(message));
const keyOf = (item) => item.day ?? item.id;

/** The signature of a mail omits the read state, so that its frame does not load again. */
const signatureOf = (item) =>
  item.day ?? [item.status, item.channel !== 'email' && isUnread(item), item.errorCode].join();

/** Inserts an item with the date in front of the first message of each day. */
function insertDays(messages) {
  let lastDay;
  return messages.flatMap((message) => {
    const day = new Date(message.createdAt).toDateString();
    if (day === lastDay) return [message];
    lastDay = day;
    return [{ day, at: message.createdAt }, message];
  });
}

const renderDay = ({ at }) => createElement('li', { class: 'day' }, createElement('span', {}, formatDay(at)));

function createTabs(channels, selected, onChannelChosen) {
  const counts = new Map(channels.map((channel) => [channel, createElement('span', { class: 'tab-count' })]));
  const buttons = channels.map((channel) =>
    createElement(
      'button',
      { type: 'button', 'aria-pressed': String(channel === selected), click: () => onChannelChosen(channel) },
      channelNames[channel],
      counts.get(channel),
    ),
  );
  return {
    element: createElement('div', { class: 'segments device-tabs', role: 'group', 'aria-label': 'App' }, buttons),
    updateCounts(countUnread) {
      for (const [channel, element] of counts) {
        element.textContent = String(countUnread(channel));
        element.hidden = countUnread(channel) === 0;
      }
    },
  };
}
