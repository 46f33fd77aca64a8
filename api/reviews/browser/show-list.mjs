import { instant, since } from '../../pages/browser/dates.mjs';
import { button, foreign, h, icon } from '../../pages/browser/elements.mjs';
import { waitingText, hasMore, loadMore, refresh, waiting } from './queue.mjs';
import { announce, show } from '../../pages/browser/screen.mjs';
import { tags } from './tags.mjs';

export const reviewHash = (id) => `#/reviews/${encodeURIComponent(id)}`;

const languageNames = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' });

function languageName(code) {
  try {
    return languageNames.of(code);
  } catch {
    return code;
  }
}

const row = ({ id, transactionId, submittedAt, identifierDate, language, findings }) =>
  h(
    'li',
    {},
    h(
      'a',
      { class: 'row', href: reviewHash(id) },
      h('span', { class: 'strong' }, `Waiting for ${since(submittedAt)}`),
      h('span', { class: 'soft' }, 'Submitted ', instant(submittedAt)),
      h('span', { class: 'mono' }, foreign(transactionId)),
      h('span', { class: 'soft' }, 'Identifier date ', instant(identifierDate), ` · ${languageName(language)}`),
      tags(findings),
      icon('next'),
    ),
  );

const countText = () => {
  const { length } = waiting();
  return `${waitingText()} ${length === 1 && !hasMore() ? 'transaction waits' : 'transactions wait'} for a decision`;
};

const focusRow = (at) => document.querySelectorAll('a.row')[at]?.focus();

/** Shows the reviews that wait for a decision. `onTrouble` gets errors of its buttons. */
export function showList(onTrouble) {
  const guarded = (work) => async (event) => {
    const pressed = event.currentTarget;
    if (pressed.getAttribute('aria-disabled')) return;
    pressed.setAttribute('aria-disabled', 'true');
    try {
      await work();
    } catch (error) {
      onTrouble(error);
    } finally {
      pressed.removeAttribute('aria-disabled');
    }
  };
  const again = guarded(async () => {
    await refresh();
    showList(onTrouble);
    document.querySelector('.refresh')?.focus();
    announce(waiting().length === 0 ? 'No open reviews' : countText());
  });
  const more = guarded(async () => {
    const shown = waiting().length;
    const came = await loadMore();
    showList(onTrouble);
    focusRow(shown);
    announce(`${came} more`);
  });
  const reload = button('plain refresh', again, icon('refresh'), 'Refresh');
  if (waiting().length === 0) {
    const lead = h('p', { class: 'lead' }, 'New images appear here as soon as a person has submitted them.');
    return show({ name: 'empty', heading: 'No open reviews', tab: 'Reviews' }, lead, reload);
  }
  show(
    { name: 'list', heading: 'Reviews', tab: 'Reviews' },
    h('div', { class: 'line' }, h('p', { class: 'lead' }, `${countText()}, oldest first.`), reload),
    h('ol', { class: 'rows' }, waiting().map(row)),
    hasMore() ? button('plain more', more, 'Load more') : undefined,
  );
}
