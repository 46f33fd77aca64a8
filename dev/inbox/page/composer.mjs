import { createElement, createIcon, showToast } from './elements.mjs';
import { reply } from './mailbox.mjs';

/** The reply box. It replies to the newest message that the person received in the conversation. */
export function createComposer() {
  let targetMessage;
  const input = createElement('input', {
    type: 'text',
    name: 'text',
    placeholder: 'Reply as this person',
    'aria-label': 'Reply as this person',
    autocomplete: 'off',
    maxlength: '1600',
  });
  const sendButton = createElement('button', { type: 'submit', 'aria-label': 'Send reply' }, createIcon('send'));
  const element = createElement('form', { class: 'composer' }, input, sendButton);
  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text === '' || !targetMessage) return;
    input.value = '';
    try {
      await reply(targetMessage.id, { text });
    } catch (error) {
      input.value = text;
      showToast(error.message);
    }
  });
  return {
    element,
    setTarget(message) {
      targetMessage = message;
      sendButton.disabled = message === undefined;
    },
  };
}
