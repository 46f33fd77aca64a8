import { button, h } from '../../pages/browser/elements.mjs';
import { icon } from './icons.mjs';
import { notice, show } from './screen.mjs';
import { texts } from './texts.mjs';

/** The link is closed. `reason`: a key of the texts `closed`. */
export class Closed extends Error {
  constructor(reason) {
    super(`closed: ${reason}`);
    this.reason = reason;
  }
}

const reasonOf = { Expired: 'expired', Abandoned: 'expired', Canceled: 'canceled' };

const reasons = ['erased', 'ended'];

/** The error for a link that the API reports as closed. */
export const closedBy = (status, reason) =>
  new Closed(reasons.includes(reason) ? reason : (reasonOf[status] ?? 'used'));

const lead = (text) => h('p', { class: 'lead' }, text);

const seal = (name) => h('div', { class: `seal seal-${name}` }, icon(name));

export function showDone({ status }) {
  const { heading, text } = status === 'Processing' ? texts.done : texts.decided;
  show({ name: 'done', heading }, seal('tick'), lead(text));
}

/** The last screen after an error. */
export function showEnd(error) {
  notice('');
  if (error instanceof Closed) {
    const { heading, text } = error.moved ? texts.where.moved : texts.closed[error.reason];
    return show({ name: 'closed', heading }, seal('clock'), lead(text));
  }
  console.warn(error);
  const { heading, text, button: again } = texts.trouble;
  show(
    { name: 'trouble', heading },
    seal('warning'),
    lead(text),
    h(
      'div',
      { class: 'actions' },
      button('main', () => location.reload(), again),
    ),
  );
}
