import { button, h, icon } from './elements.mjs';
import { notice, show } from './screen.mjs';
import { texts } from './shell.mjs';

/** The link leads no further. `why` is one of the words' closed pages. */
export class Closed extends Error {
  constructor(why) {
    super(`closed: ${why}`);
    this.why = why;
  }
}

const whyOf = { Expired: 'expired', Abandoned: 'expired', Canceled: 'canceled' };

const reasons = ['erased', 'ended'];

/** A link that the API calls closed: by its status, and by the reason where it gives one. */
export const closedBy = (status, reason) => new Closed(reasons.includes(reason) ? reason : (whyOf[status] ?? 'used'));

const lead = (text) => h('p', { class: 'lead' }, text);

const seal = (name) => h('div', { class: `seal seal-${name}` }, icon(name));

export function showDone({ status }) {
  const { heading, text } = status === 'Processing' ? texts.done : texts.decided;
  show({ name: 'done', heading }, seal('tick'), lead(text));
}

/** The last screen of a walk that ended otherwise. */
export function showEnd(error) {
  notice('');
  if (error instanceof Closed) {
    const { heading, text } = error.moved ? texts.where.moved : texts.closed[error.why];
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
      button('main', again, () => location.reload()),
    ),
  );
}
