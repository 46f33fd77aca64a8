import { signedIn } from '../../pages/browser/call-api.mjs';
import { button, h, icon } from '../../pages/browser/elements.mjs';
import { draftOf, errorTextOf, missingIn, reasonCharsMax, sendDecision } from './send-decision.mjs';
import { decisions } from './labels.mjs';

/** Replaces another suggestion, or adds the suggestion to typed text. */
const withSuggestion = (reason, suggestion) => {
  const typed = reason.trim();
  const known = decisions.some(({ reasons }) => reasons.includes(typed));
  return typed === '' || known ? suggestion : `${typed} ${suggestion}`;
};

/**
 * The form of a decision. It has no confirmation dialog, because choosing and pressing are two steps already. `onDecided` gets
 * the response; `onTrouble` gets errors that the form does not show.
 */
export function decisionForm(id, onDecided, onTrouble) {
  const draft = draftOf(id);
  let sending = false;

  const errorLine = h('p', { class: 'hint', id: 'error', role: 'alert', hidden: true });
  const reason = h('textarea', { id: 'reason', rows: '2', 'aria-describedby': 'error left' });
  const left = h('p', { class: 'soft small', id: 'left' });
  const chips = h('div', { class: 'chips', role: 'group', 'aria-label': 'Suggested reasons' });
  const press = h('button', { class: 'main' });
  const recorded = h('bdi');
  const choice = ({ status, icon: name, choice: text }) => {
    const change = () => {
      draft.status = status;
      showError('');
      showChoice();
    };
    const radio = h('input', { type: 'radio', name: 'status', checked: draft.status === status, change });
    return h('label', { class: `choice choice-${name}` }, radio, icon(name), text);
  };

  function showError(text) {
    errorLine.hidden = !text;
    errorLine.replaceChildren(...(text ? [icon('warning'), h('span', {}, text)] : []));
  }
  function showChoice() {
    const chosen = decisions.find(({ status }) => status === draft.status);
    press.textContent = chosen?.press ?? 'Decide';
    // Another user may have signed in.
    recorded.textContent = signedIn();
    press.className = `main ${chosen ? `main-${chosen.icon}` : ''}`;
    const suggest = (text) =>
      button(
        'chip',
        () => {
          reason.value = withSuggestion(reason.value, text);
          typed();
          reason.focus();
        },
        text,
      );
    chips.replaceChildren(...(chosen?.reasons ?? []).map(suggest));
  }
  function typed() {
    draft.reason = reason.value;
    const over = reason.value.trim().length - reasonCharsMax;
    left.textContent = over > -100 ? `${reasonCharsMax + over} of ${reasonCharsMax} characters` : '';
    showError('');
  }
  async function submit(event) {
    event.preventDefault();
    if (sending) return;
    const [field, text] = missingIn(draft);
    showError(text);
    if (field) {
      (field === 'reason' ? reason : form.querySelector('input')).focus();
      return;
    }
    sending = true;
    press.setAttribute('aria-disabled', 'true');
    press.textContent = 'Sending …';
    const [made, error] = await sendDecision(id, draft).then(
      (answer) => [answer],
      (failure) => [undefined, failure],
    );
    sending = false;
    press.removeAttribute('aria-disabled');
    showChoice();
    const issue = error && errorTextOf(error);
    if (made) await onDecided(made);
    else if (issue) showError(issue);
    else await onTrouble(error);
  }

  reason.value = draft.reason;
  reason.addEventListener('input', typed);
  const form = h(
    'form',
    { class: 'card decision', 'aria-labelledby': 'decide', novalidate: true, submit },
    h('h2', { id: 'decide' }, 'Your decision'),
    h('fieldset', { class: 'choices' }, h('legend', { class: 'unseen' }, 'Decision'), decisions.map(choice)),
    h('div', { class: 'field' }, h('label', { for: 'reason' }, 'Reason'), reason, left),
    chips,
    errorLine,
    press,
    h('p', { class: 'soft small' }, 'Recorded with ', recorded, '. It cannot be undone.'),
  );
  showChoice();
  typed();
  return form;
}
