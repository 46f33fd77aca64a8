import { button, h, icon } from './elements.mjs';
import { request, Unreachable } from './request.mjs';
import { updateTabTitle } from './screen.mjs';

const view = document.getElementById('view');
const signInArea = document.getElementById('gate');
const accountArea = document.getElementById('who');
const {
  signIn: headingText,
  lead: leadText,
  end: endText = 'This page keeps you signed in until you close or reload it.',
} = document.body.dataset;

const errorTexts = {
  expired: 'Your access has expired. Sign in again. The page keeps your input.',
  rejected: 'This access token is invalid. It may have expired, or belong to another environment.',
};

/** Reloading the page forgets the token, images and all fields. */
function signOut() {
  history.replaceState(null, '', location.pathname);
  location.reload();
}

function createField(id, label, attributes) {
  const input = h('input', { id, required: true, autocapitalize: 'none', spellcheck: 'false', ...attributes });
  return { input, row: h('div', { class: 'field' }, h('label', { for: id }, label), input) };
}

const errorTextOf = (status, { title, detail, traceId }) =>
  status === 401
    ? 'The client id or the secret is wrong.'
    : [title ?? 'Signing in failed.', detail, traceId && `Trace id: ${traceId}`].filter(Boolean).join(' ');

function credentialsForm(showError, onSignedIn) {
  const id = createField('client-id', 'Client id', { autocomplete: 'username', maxlength: '100' });
  const secret = createField('client-secret', 'Client secret', {
    ...{ type: 'password', autocomplete: 'current-password', maxlength: '200' },
  });
  let isSending = false;
  const submit = async (event) => {
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    showError('');
    try {
      const body = { Username: id.input.value.trim(), Password: secret.input.value };
      const { status, answer } = await request('/v1/authentication', { method: 'POST', body });
      if (status === 200) onSignedIn({ token: answer.token, name: body.Username });
      else showError(errorTextOf(status, answer));
      if (status === 401) secret.input.select();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      showError('The service cannot be reached. Check the connection and try again.');
    } finally {
      isSending = false;
    }
  };
  return h('form', { submit }, id.row, secret.row, h('button', { class: 'main' }, 'Sign in'));
}

/** The characters of a token (RFC 6750). fetch throws for other characters. */
const tokenPattern = /^[\w.~+/=-]+$/;

function tokenForm(showError, onSignedIn) {
  const token = createField('access-token', 'Access token', { type: 'password', autocomplete: 'off' });
  const submit = (event) => {
    event.preventDefault();
    const text = token.input.value.trim().replace(/^Bearer\s+/i, '');
    if (tokenPattern.test(text)) onSignedIn({ token: text, name: 'an access token' });
    else showError(errorTexts.rejected);
  };
  return h('form', { submit }, token.row, h('button', { class: 'plain' }, 'Use this token'));
}

function showAccount(name) {
  accountArea.replaceChildren(h('p', {}, 'Signed in with ', h('bdi', {}, name)), button('quiet', signOut, 'Sign out'));
}

/**
 * Shows the sign-in form until the user has signed in, then the same view again. `reason`: a key of errorTexts. Resolves to
 * { token, name }.
 */
export function signIn(reason) {
  const focusedElement = document.activeElement;
  for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
  const errorLine = h('p', { class: 'hint', role: 'alert', hidden: true });
  const showError = (text) => {
    errorLine.hidden = !text;
    errorLine.replaceChildren(...(text ? [icon('warning'), h('span', {}, text)] : []));
  };
  return new Promise((resolve) => {
    const finish = (access) => {
      signInArea.hidden = true;
      signInArea.replaceChildren();
      view.hidden = false;
      updateTabTitle();
      showAccount(access.name);
      if (view.contains(focusedElement)) focusedElement.focus();
      resolve(access);
    };
    const heading = h('h1', { tabindex: '-1' }, headingText);
    signInArea.replaceChildren(
      heading,
      h('p', { class: 'lead' }, leadText),
      errorLine,
      credentialsForm(showError, finish),
      h(
        'details',
        { open: reason === 'rejected' },
        h('summary', {}, 'Use an access token instead'),
        tokenForm(showError, finish),
      ),
      h('p', { class: 'small' }, endText),
    );
    accountArea.replaceChildren();
    view.hidden = true;
    signInArea.hidden = false;
    updateTabTitle();
    heading.focus();
    if (reason) showError(errorTexts[reason]);
  });
}
