import { createElement, createIcon, showToast } from './elements.mjs';
import { isUnread, reply } from './mailbox.mjs';
import { renderText, renderCodeChips, renderStatus } from './message-parts.mjs';
import { formatTime } from './format.mjs';

/** One SMS or WhatsApp message. Messages of the person are on the right. */
export function renderBubble(message) {
  const isFromPerson = message.direction === 'inbound';
  return createElement(
    'li',
    { class: `line ${isFromPerson ? 'own' : 'theirs'}`, 'data-id': message.id },
    createElement(
      'article',
      { class: 'bubble', 'aria-label': isFromPerson ? 'You' : `From ${message.from}` },
      renderText(message.text),
      createElement(
        'footer',
        { class: 'meta' },
        isUnread(message) && createElement('span', { class: 'new' }, 'New'),
        createElement('time', { datetime: message.createdAt }, formatTime(message.createdAt)),
        renderStatus(message),
      ),
    ),
    message.buttons && renderReplyButtons(message),
    !isFromPerson && renderCodeChips(message.text),
  );
}

function renderReplyButtons(message) {
  const buttons = message.buttons.map(({ option, title }) =>
    createElement(
      'button',
      {
        class: 'reply-button',
        type: 'button',
        click: () => reply(message.id, { button: option }).catch((error) => showToast(error.message)),
      },
      createIcon('reply'),
      title,
    ),
  );
  return createElement('div', { class: 'reply-buttons', role: 'group', 'aria-label': 'Quick replies' }, buttons);
}
