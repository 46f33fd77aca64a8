import { button, h, icon } from './elements.mjs';
import { request, Unreachable } from './request.mjs';
import { nameTab } from './screen.mjs';

const view = document.getElementById('view');
const gate = document.getElementById('gate');
const who = document.getElementById('who');
/** What to sign in for, and with which client. */
const { signIn: headingWords, lead: leadWords } = document.body.dataset;

const whyWords = {
  expired: 'Your access has expired. Sign in again: what you typed is kept.',
  rejected: 'This access token was not accepted. It may have expired, or belong to another environment.',
};

/** Loading the page anew is what forgets the most: token, images and every field. */
function signOut() {
  history.replaceState(null, '', location.pathname);
  location.reload();
}

function field(id, label, attributes) {
  const input = h('input', { id, required: true, autocapitalize: 'none', spellcheck: 'false', ...attributes });
  return { input, row: h('div', { class: 'field' }, h('label', { for: id }, label), input) };
}

const refusal = (status, { title, detail, traceId }) =>
  status === 401
    ? 'The client id or the secret is not right.'
    : [title ?? 'Signing in failed.', detail, traceId && `Trace id: ${traceId}`].filter(Boolean).join(' ');

function credentialsForm(fault, done) {
  const id = field('client-id', 'Client id', { autocomplete: 'username', maxlength: '100' });
  const secret = field('client-secret', 'Client secret', {
    ...{ type: 'password', autocomplete: 'current-password', maxlength: '200' },
  });
  let busy = false;
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    fault('');
    try {
      const body = { Username: id.input.value.trim(), Password: secret.input.value };
      const { status, answer } = await request('/v1/authentication', { method: 'POST', body });
      if (status === 200) done({ token: answer.token, name: body.Username });
      else fault(refusal(status, answer));
      if (status === 401) secret.input.select();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      fault('The service cannot be reached. Check the connection and try again.');
    } finally {
      busy = false;
    }
  };
  return h('form', { submit }, id.row, secret.row, h('button', { class: 'main' }, 'Sign in'));
}

/** The characters of a token (RFC 6750); with others, no request could be made at all. */
const tokenPattern = /^[\w.~+/=-]+$/;

function tokenForm(fault, done) {
  const token = field('access-token', 'Access token', { type: 'password', autocomplete: 'off' });
  const submit = (event) => {
    event.preventDefault();
    const text = token.input.value.trim().replace(/^Bearer\s+/i, '');
    if (tokenPattern.test(text)) done({ token: text, name: 'an access token' });
    else fault(whyWords.rejected);
  };
  return h('form', { submit }, token.row, h('button', { class: 'plain' }, 'Use this token'));
}

function showWho(name) {
  who.replaceChildren(h('p', {}, 'Signed in with ', h('bdi', {}, name)), button('quiet', signOut, 'Sign out'));
}

/**
 * Asks who looks to sign in, in place of what is shown, which comes back untouched. `why` is a word of whyWords, or
 * nothing at the start. Resolves to { token, name }; neither is kept anywhere by this page but in its memory.
 */
export function signIn(why) {
  const before = document.activeElement;
  for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
  const faultLine = h('p', { class: 'hint', role: 'alert', hidden: true });
  const fault = (text) => {
    faultLine.hidden = !text;
    faultLine.replaceChildren(...(text ? [icon('warning'), h('span', {}, text)] : []));
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
    const heading = h('h1', { tabindex: '-1' }, headingWords);
    gate.replaceChildren(
      heading,
      h('p', { class: 'lead' }, leadWords),
      faultLine,
      credentialsForm(fault, done),
      h(
        'details',
        { open: why === 'rejected' },
        h('summary', {}, 'Use an access token instead'),
        tokenForm(fault, done),
      ),
      h('p', { class: 'small' }, 'This page keeps you signed in until you close or reload it.'),
    );
    who.replaceChildren();
    view.hidden = true;
    gate.hidden = false;
    nameTab();
    heading.focus();
    if (why) fault(whyWords[why]);
  });
}
