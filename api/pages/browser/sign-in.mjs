import { button, h, icon } from './elements.mjs';
import { request, Unreachable } from './request.mjs';
import { nameTab } from './screen.mjs';

const view = document.getElementById('view');
const gate = document.getElementById('gate');
const who = document.getElementById('who');
const { signIn: headingText, lead: leadText } = document.body.dataset;

const errorTexts = {
  expired: 'Your access has expired. Sign in again: what you typed is kept.',
  rejected: 'This access token is invalid. It may have expired, or belong to another environment.',
};

/** Reloading the page forgets the token, images and all fields. */
function signOut() {
  history.replaceState(null, '', location.pathname);
  location.reload();
}

function field(id, label, attributes) {
  const input = h('input', { id, required: true, autocapitalize: 'none', spellcheck: 'false', ...attributes });
  return { input, row: h('div', { class: 'field' }, h('label', { for: id }, label), input) };
}

const errorOf = (status, { title, detail, traceId }) =>
  status === 401
    ? 'The client id or the secret is wrong.'
    : [title ?? 'Signing in failed.', detail, traceId && `Trace id: ${traceId}`].filter(Boolean).join(' ');

function credentialsForm(showError, done) {
  const id = field('client-id', 'Client id', { autocomplete: 'username', maxlength: '100' });
  const secret = field('client-secret', 'Client secret', {
    ...{ type: 'password', autocomplete: 'current-password', maxlength: '200' },
  });
  let busy = false;
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    showError('');
    try {
      const body = { Username: id.input.value.trim(), Password: secret.input.value };
      const { status, answer } = await request('/v1/authentication', { method: 'POST', body });
      if (status === 200) done({ token: answer.token, name: body.Username });
      else showError(errorOf(status, answer));
      if (status === 401) secret.input.select();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      showError('The service cannot be reached. Check the connection and try again.');
    } finally {
      busy = false;
    }
  };
  return h('form', { submit }, id.row, secret.row, h('button', { class: 'main' }, 'Sign in'));
}

/** The characters of a token (RFC 6750). With others, fetch would throw. */
const tokenPattern = /^[\w.~+/=-]+$/;

function tokenForm(showError, done) {
  const token = field('access-token', 'Access token', { type: 'password', autocomplete: 'off' });
  const submit = (event) => {
    event.preventDefault();
    const text = token.input.value.trim().replace(/^Bearer\s+/i, '');
    if (tokenPattern.test(text)) done({ token: text, name: 'an access token' });
    else showError(errorTexts.rejected);
  };
  return h('form', { submit }, token.row, h('button', { class: 'plain' }, 'Use this token'));
}

function showWho(name) {
  who.replaceChildren(h('p', {}, 'Signed in with ', h('bdi', {}, name)), button('quiet', signOut, 'Sign out'));
}

/** Shows the sign-in form instead of the view, which comes back unchanged. `why`: a key of errorTexts. Resolves to { token, name }. */
export function signIn(why) {
  const before = document.activeElement;
  for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
  const errorLine = h('p', { class: 'hint', role: 'alert', hidden: true });
  const showError = (text) => {
    errorLine.hidden = !text;
    errorLine.replaceChildren(...(text ? [icon('warning'), h('span', {}, text)] : []));
  };
  return new Promise((resolve) => {
    const done = (access) => {
      gate.hidden = true;
      gate.replaceChildren();
      view.hidden = false;
      nameTab();
      showWho(access.name);
      if (view.contains(before)) before.focus();
      resolve(access);
    };
    const heading = h('h1', { tabindex: '-1' }, headingText);
    gate.replaceChildren(
      heading,
      h('p', { class: 'lead' }, leadText),
      errorLine,
      credentialsForm(showError, done),
      h(
        'details',
        { open: why === 'rejected' },
        h('summary', {}, 'Use an access token instead'),
        tokenForm(showError, done),
      ),
      h('p', { class: 'small' }, 'This page keeps you signed in until you close or reload it.'),
    );
    who.replaceChildren();
    view.hidden = true;
    gate.hidden = false;
    nameTab();
    heading.focus();
    if (why) showError(errorTexts[why]);
  });
}
