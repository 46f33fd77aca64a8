import { signedInName } from '../../pages/browser/call-api.mjs';
import { button, h, icon } from '../../pages/browser/elements.mjs';
import { draftOf, errorTextOf, firstIssueOf, reasonCharsMax, sendDecision } from './send-decision.mjs';
import { decisions } from './labels.mjs';

/** The reason with a suggestion: it replaces an earlier suggestion, and follows any other text. */
const withSuggestion = (reason, suggestion) => {
  const typedText = reason.trim();
  const isSuggestion = decisions.some(({ reasons }) => reasons.includes(typedText));
  return typedText === '' || isSuggestion ? suggestion : `${typedText} ${suggestion}`;
};

/**
 * The form of a decision. It has no confirmation dialog, because the choice and the button are two steps already. `onDecided`
 * gets the response; `onError` gets errors that the form does not show.
 */
export function decisionForm(id, onDecided, onError) {
  const draft = draftOf(id);
  let isSending = false;

  const errorLine = h('p', { class: 'hint', id: 'error', role: 'alert', hidden: true });
  const reason = h('textarea', { id: 'reason', rows: '2', 'aria-describedby': 'error left' });
  const lengthLine = h('p', { class: 'soft small', id: 'left' });
  const suggestionList = h('div', { class: 'chips', role: 'group', 'aria-label': 'Suggested reasons' });
  const submitButton = h('button', { class: 'main' });
  const reviewerName = h('bdi');
  const createChoice = ({ status, icon: name, choice: text }) => {
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
    const chosenDecision = decisions.find(({ status }) => status === draft.status);
    submitButton.textContent = chosenDecision?.press ?? 'Decide';
    // Another user may have signed in.
    reviewerName.textContent = signedInName();
    submitButton.className = `main ${chosenDecision ? `main-${chosenDecision.icon}` : ''}`;
    const createSuggestion = (text) =>
      button(
        'chip',
        () => {
          reason.value = withSuggestion(reason.value, text);
          onReasonInput();
          reason.focus();
        },
        text,
      );
    suggestionList.replaceChildren(...(chosenDecision?.reasons ?? []).map(createSuggestion));
  }
  function onReasonInput() {
    draft.reason = reason.value;
    const excessLength = reason.value.trim().length - reasonCharsMax;
    lengthLine.textContent =
      excessLength > -100 ? `${reasonCharsMax + excessLength} of ${reasonCharsMax} characters` : '';
    showError('');
  }
  async function submit(event) {
    event.preventDefault();
    if (isSending) return;
    const [field, text] = firstIssueOf(draft);
    showError(text);
    if (field) {
      (field === 'reason' ? reason : form.querySelector('input')).focus();
      return;
    }
    isSending = true;
    submitButton.setAttribute('aria-disabled', 'true');
    submitButton.textContent = 'Sending …';
    const [response, error] = await sendDecision(id, draft).then(
      (answer) => [answer],
      (failure) => [undefined, failure],
    );
    isSending = false;
    submitButton.removeAttribute('aria-disabled');
    showChoice();
    const issue = error && errorTextOf(error);
    if (response) await onDecided(response);
    else if (issue) showError(issue);
    else await onError(error);
  }

  reason.value = draft.reason;
  reason.addEventListener('input', onReasonInput);
  const form = h(
    'form',
    { class: 'card decision', 'aria-labelledby': 'decide', novalidate: true, submit },
    h('h2', { id: 'decide' }, 'Your decision'),
    h('fieldset', { class: 'choices' }, h('legend', { class: 'unseen' }, 'Decision'), decisions.map(createChoice)),
    h('div', { class: 'field' }, h('label', { for: 'reason' }, 'Reason'), reason, lengthLine),
    suggestionList,
    errorLine,
    submitButton,
    h('p', { class: 'soft small' }, 'Recorded with ', reviewerName, '. You cannot change the decision later.'),
  );
  showChoice();
  onReasonInput();
  return form;
}
