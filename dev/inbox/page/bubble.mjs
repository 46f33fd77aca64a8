import { h, icon, toast } from './elements.mjs';
import { isUnread, reply } from './mailbox.mjs';
import { body, codeChips, state } from './message-parts.mjs';
import { formatTime } from './format.mjs';

/** One SMS or WhatsApp message. Messages of the person are on the right. */
export function bubble(message) {
  const own = message.direction === 'inbound';
  return h(
    'li',
    { class: `line ${own ? 'own' : 'theirs'}`, 'data-id': message.id },
    h(
      'article',
      { class: 'bubble', 'aria-label': own ? 'You' : `From ${message.from}` },
      body(message.text),
      h(
        'footer',
        { class: 'meta' },
        isUnread(message) && h('span', { class: 'new' }, 'New'),
        h('time', { datetime: message.createdAt }, formatTime(message.createdAt)),
        state(message),
      ),
    ),
    message.buttons && replyButtons(message),
    !own && codeChips(message.text),
  );
}

function replyButtons(message) {
  const buttons = message.buttons.map(({ option, title }) =>
    h(
      'button',
      {
        class: 'reply-button',
        type: 'button',
        click: () => reply(message.id, { button: option }).catch((error) => toast(error.message)),
      },
      icon('reply'),
      title,
    ),
  );
  return h('div', { class: 'reply-buttons', role: 'group', 'aria-label': 'Quick replies' }, buttons);
}
