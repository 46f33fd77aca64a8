import { copy, h, icon } from './elements.mjs';
import { applicationUrl } from './mailbox.mjs';

const person = `{"documentType":"CPF","document":"52998224725","name":"Ana Souza",
  "email":"ana@example.com","phone":{"countryCode":55,"areaCode":11,"number":987654321}}`;

const steps = (url) => [
  ['Get an access token', `TOKEN=$(npm run -s token)`],
  [
    'Create a transaction',
    `ID=$(curl -s ${url}/v1/transaction -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '${person}' | cut -d'"' -f4)`,
  ],
  ['Send it a code', `curl -X POST ${url}/v1/transaction/$ID/sms/tokens -H "Authorization: Bearer $TOKEN"`],
];

/** Instructions for an empty inbox, with commands for this stack. */
export function welcome() {
  const list = h('ol', { class: 'steps' });
  const fill = (url) => list.replaceChildren(...steps(url).map(step));
  applicationUrl().then(fill, () => fill('http://127.0.0.1:3000'));
  return h(
    'section',
    { class: 'welcome' },
    h('div', { class: 'welcome-art', 'aria-hidden': 'true' }, icon('phone'), icon('mail')),
    h('h2', {}, 'No messages yet'),
    h(
      'p',
      {},
      'Every SMS, WhatsApp message and e-mail that Countersign sends on this machine arrives here. Create a transaction, request a confirmation, and answer it as the person.',
    ),
    list,
  );
}

function step([title, command]) {
  return h(
    'li',
    {},
    h('h3', {}, title),
    h(
      'div',
      { class: 'command' },
      h('pre', { tabindex: '0', 'aria-label': title }, command),
      h(
        'button',
        { type: 'button', 'aria-label': `Copy: ${title}`, click: () => copy(command, 'Command copied') },
        icon('copy'),
      ),
    ),
  );
}

/** Shown while no conversation is selected. */
export const choose = () =>
  h(
    'section',
    { class: 'welcome' },
    h('div', { class: 'welcome-art', 'aria-hidden': 'true' }, icon('phone'), icon('mail')),
    h('h2', {}, 'Pick a phone or a mailbox'),
    h('p', {}, 'The newest is on top.'),
  );
