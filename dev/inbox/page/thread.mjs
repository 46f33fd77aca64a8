import { bubble } from './bubble.mjs';
import { composer } from './composer.mjs';
import { h, icon, keyedChildren, toast } from './elements.mjs';
import { isUnread, markRead } from './mailbox.mjs';
import { mail } from './mail.mjs';
import { channelName, formatAddress, formatDay } from './format.mjs';

/** Closer to the end than this, the conversation scrolls to new messages. */
const nearEndPixels = 120;

/** The conversation of one person over one channel, as a phone or a mailbox would show it. */
export function thread(address, channel, channels, onChannel) {
  const lines = h('ol', { class: 'lines', 'aria-label': 'Messages' });
  const scroller = h('div', { class: 'scroller', tabindex: '0', role: 'region', 'aria-label': 'Conversation' }, lines);
  const readAll = h(
    'button',
    { class: 'read-all', type: 'button', 'aria-label': 'Mark as read' },
    icon('eye'),
    h('span', {}, 'Mark as read'),
  );
  const replyBox = channel === 'email' ? undefined : composer();
  const tabBar = channels.length > 1 ? tabs(channels, channel, onChannel) : undefined;
  const element = h(
    'section',
    { class: `device device-${channel}`, 'aria-label': `${channelName[channel]} of ${address}` },
    h(
      'header',
      { class: 'device-head' },
      h('a', { class: 'back', href: '#/', 'aria-label': 'Back to the list' }, icon('back')),
      h('h2', {}, formatAddress(address)),
      readAll,
    ),
    tabBar?.element,
    scroller,
    replyBox?.element,
  );
  const show = keyedChildren(lines);
  let current = [];

  readAll.addEventListener('click', () => {
    Promise.all(current.filter(isUnread).map(({ id }) => markRead(id))).catch((error) => toast(error.message));
  });

  return {
    element,
    update(messages, unreadOf) {
      const follow = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < nearEndPixels;
      const grew = messages.length > current.length;
      current = messages;
      const ordered = channel === 'email' ? messages.toReversed() : messages;
      show(withDays(ordered), keyOf, signatureOf, (item) => (item.day ? dayLine(item) : make(item)));
      readAll.hidden = !messages.some(isUnread);
      replyBox?.setTarget(messages.findLast(({ direction }) => direction === 'outbound'));
      if (follow && grew && channel !== 'email') scroller.scrollTop = scroller.scrollHeight;
      tabBar?.count(unreadOf);
      markSilentlyRead(messages);
    },
  };
}

/** Marks SMS and mails as read: reading them is not reported. A WhatsApp message is marked with a button. */
function markSilentlyRead(messages) {
  if (document.hidden) return;
  for (const message of messages) {
    if (message.channel !== 'whatsapp' && isUnread(message)) markRead(message.id).catch(() => undefined);
  }
}

const make = (message) => (message.channel === 'email' ? mail(message) : bubble(message));
const keyOf = (item) => item.day ?? item.id;

/** Without the read state for mails, so that their frames do not load again. */
const signatureOf = (item) =>
  item.day ?? [item.status, item.channel !== 'email' && isUnread(item), item.errorCode].join();

function withDays(messages) {
  let last;
  return messages.flatMap((message) => {
    const day = new Date(message.createdAt).toDateString();
    if (day === last) return [message];
    last = day;
    return [{ day, at: message.createdAt }, message];
  });
}

const dayLine = ({ at }) => h('li', { class: 'day' }, h('span', {}, formatDay(at)));

function tabs(channels, selected, onChannel) {
  const counts = new Map(channels.map((channel) => [channel, h('span', { class: 'tab-count' })]));
  const buttons = channels.map((channel) =>
    h(
      'button',
      { type: 'button', 'aria-pressed': String(channel === selected), click: () => onChannel(channel) },
      channelName[channel],
      counts.get(channel),
    ),
  );
  return {
    element: h('div', { class: 'segments device-tabs', role: 'group', 'aria-label': 'App' }, buttons),
    count(unreadOf) {
      for (const [channel, element] of counts) {
        element.textContent = String(unreadOf(channel));
        element.hidden = unreadOf(channel) === 0;
      }
    },
  };
}
