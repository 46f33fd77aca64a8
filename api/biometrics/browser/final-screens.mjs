import { button, h } from '../../pages/browser/elements.mjs';
import { icon } from './icons.mjs';
import { showNotice, showScreen } from './screen.mjs';
import { texts } from './texts.mjs';

/** The link is closed. `reason`: a key of the texts `closed`. `moved`: set if the person continued on another device. */
export class LinkClosedError extends Error {
  constructor(reason) {
    super(`closed: ${reason}`);
    this.reason = reason;
  }
}

const reasonByStatus = { Expired: 'expired', Abandoned: 'expired', Canceled: 'canceled' };

const apiReasons = ['erased', 'ended'];

/** Returns the error for a closed link, by the status and the reason that the API reports. */
export const toLinkClosedError = (status, reason) =>
  new LinkClosedError(apiReasons.includes(reason) ? reason : (reasonByStatus[status] ?? 'used'));

const lead = (text) => h('p', { class: 'lead' }, text);

const roundIcon = (name) => h('div', { class: `seal seal-${name}` }, icon(name));

export function showDone({ status }) {
  const { heading, text } = status === 'Processing' ? texts.done : texts.decided;
  showScreen({ name: 'done', heading }, roundIcon('tick'), lead(text));
}

/** Shows the last screen after an error. */
export function showErrorScreen(error) {
  showNotice('');
  if (error instanceof LinkClosedError) {
    const { heading, text } = error.moved ? texts.where.moved : texts.closed[error.reason];
    return showScreen({ name: 'closed', heading }, roundIcon('clock'), lead(text));
  }
  console.warn(error);
  const { heading, text, button: retryLabel } = texts.trouble;
  showScreen(
    { name: 'trouble', heading },
    roundIcon('warning'),
    lead(text),
    h(
      'div',
      { class: 'actions' },
      button('main', () => location.reload(), retryLabel),
    ),
  );
}
