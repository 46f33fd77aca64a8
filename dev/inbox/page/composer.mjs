import { h, icon, toast } from './elements.mjs';
import { reply } from './mailbox.mjs';

/** The reply box. It replies to the newest message of the conversation. */
export function composer() {
  let target;
  const input = h('input', {
    type: 'text',
    name: 'text',
    placeholder: 'Reply as this person',
    'aria-label': 'Reply as this person',
    autocomplete: 'off',
    maxlength: '1600',
  });
  const send = h('button', { type: 'submit', 'aria-label': 'Send reply' }, icon('send'));
  const element = h('form', { class: 'composer' }, input, send);
  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text === '' || !target) return;
    input.value = '';
    try {
      await reply(target.id, { text });
    } catch (error) {
      input.value = text;
      toast(error.message);
    }
  });
  return {
    element,
    setTarget(message) {
      target = message;
      send.disabled = message === undefined;
    },
  };
}
