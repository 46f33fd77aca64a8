import { callApi } from '../../pages/browser/call-api.mjs';
import { h } from '../../pages/browser/elements.mjs';
import { showView } from '../../pages/browser/screen.mjs';
import { showFailure } from '../../pages/browser/show-failure.mjs';

const { uiUrl } = document.body.dataset;

const forbiddenTexts = [
  'This client has no access',
  'The Temporal UI needs the scope operator:decode. Sign in with a client that has it.',
];

function showOpened({ expiresInSeconds }) {
  const minutes = Math.round(expiresInSeconds / 60);
  showView(
    { name: 'done', heading: 'You are signed in', tab: 'Temporal UI' },
    h(
      'p',
      { class: 'lead' },
      `For ${minutes} minutes, the Temporal UI in this browser shows what it stores in clear text.`,
    ),
    h(
      'p',
      {},
      h('a', { href: uiUrl, rel: 'noreferrer' }, 'Open the Temporal UI'),
      '. If it is open already, reload it.',
    ),
  );
}

/** The credentials let the browser save the cookie. */
async function openSession() {
  try {
    showOpened(await callApi('/v1/codec/session', { method: 'POST', credentials: 'same-origin' }));
  } catch (error) {
    // The access token was invalid, and the user has signed in again.
    if (error.code === 'signed_out') await openSession();
    else showFailure(error, { tab: 'Temporal UI', forbiddenTexts, again: () => void openSession() });
  }
}

void openSession();
