import { forgetAccess, ApiError } from './call-api.mjs';
import { button, h } from './elements.mjs';
import { Unreachable } from './request.mjs';
import { showView } from './screen.mjs';

function headingAndTextOf(error, forbiddenTexts, textsByCode) {
  if (error instanceof Unreachable)
    return ['The service cannot be reached', 'Check the connection and try again. The page keeps your input.'];
  if (error.code === 'insufficient_scope') return forbiddenTexts;
  if (error instanceof ApiError && Object.hasOwn(textsByCode, error.code)) return textsByCode[error.code];
  if (error instanceof ApiError) return [error.title || 'The service rejected the request', error.detail];
  return ['Something went wrong', 'Try again. If it happens again, contact the operator.'];
}

/**
 * Shows an error instead of a view. `forbiddenTexts`: heading and text for a missing scope. `textsByCode`: heading and text by problem
 * code. `tab`: title of the browser tab. `again`: loads the view again. `back`: a link to another view.
 */
export function showFailure(error, { tab, forbiddenTexts, textsByCode = {}, again, back }) {
  if (!(error instanceof ApiError || error instanceof Unreachable)) console.warn(error);
  const [heading, text] = headingAndTextOf(error, forbiddenTexts, textsByCode);
  const signInAgain = () => {
    forgetAccess();
    again();
  };
  showView(
    { name: 'trouble', heading, tab },
    h('p', { class: 'lead' }, text),
    error.traceId ? h('p', { class: 'soft small' }, `Trace id: ${error.traceId}`) : undefined,
    h(
      'div',
      { class: 'line' },
      button('main', again, 'Try again'),
      error.status === 403 ? button('plain', signInAgain, 'Sign in with another client') : undefined,
      back,
    ),
  );
}
