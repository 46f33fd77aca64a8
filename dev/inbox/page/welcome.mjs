import { copyText, createElement, createIcon } from './elements.mjs';
import { readApiUrl } from './mailbox.mjs';

const personJson = `{"documentType":"CPF","document":"52998224725","name":"Ana Souza",
  "email":"ana@example.com","phone":{"countryCode":55,"areaCode":11,"number":987654321}}`;

const listSteps = (url) => [
  ['Get an access token', `TOKEN=$(npm run -s token)`],
  [
    'Create a transaction',
    `ID=$(curl -s ${url}/v1/transaction -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '${personJson}' | cut -d'"' -f4)`,
  ],
  ['Send a code by SMS', `curl -X POST ${url}/v1/transaction/$ID/sms/tokens -H "Authorization: Bearer $TOKEN"`],
];

/** Instructions for an empty inbox, with commands for this stack. */
export function renderWelcome() {
  const list = createElement('ol', { class: 'steps' });
  const fill = (url) => list.replaceChildren(...listSteps(url).map(renderStep));
  readApiUrl().then(fill, () => fill('http://127.0.0.1:3000'));
  return createElement(
    'section',
    { class: 'welcome' },
    createElement('div', { class: 'welcome-art', 'aria-hidden': 'true' }, createIcon('phone'), createIcon('mail')),
    createElement('h2', {}, 'No messages yet'),
    createElement(
      'p',
      {},
      'Every SMS, WhatsApp message and e-mail that Countersign sends on this machine arrives here. Create a transaction, request a confirmation, and answer it as the person.',
    ),
    list,
  );
}

function renderStep([title, command]) {
  return createElement(
    'li',
    {},
    createElement('h3', {}, title),
    createElement(
      'div',
      { class: 'command' },
      createElement('pre', { tabindex: '0', 'aria-label': title }, command),
      createElement(
        'button',
        { type: 'button', 'aria-label': `Copy: ${title}`, click: () => copyText(command, 'Command copied') },
        createIcon('copy'),
      ),
    ),
  );
}

/** Shown while no conversation is selected. */
export const renderChooseNotice = () =>
  createElement(
    'section',
    { class: 'welcome' },
    createElement('div', { class: 'welcome-art', 'aria-hidden': 'true' }, createIcon('phone'), createIcon('mail')),
    createElement('h2', {}, 'Pick a phone or a mailbox'),
    createElement('p', {}, 'The one with the newest message is on top.'),
  );
