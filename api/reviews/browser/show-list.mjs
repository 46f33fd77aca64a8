import { timeElement, timeSince } from '../../pages/browser/dates.mjs';
import { button, bdiText, h, icon } from '../../pages/browser/elements.mjs';
import { waitingCountText, hasMore, loadMore, refresh, waitingReviews } from './queue.mjs';
import { announce, showView } from '../../pages/browser/screen.mjs';
import { findingTags } from './tags.mjs';

export const reviewHash = (id) => `#/reviews/${encodeURIComponent(id)}`;

const languageNames = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' });

function languageName(code) {
  try {
    return languageNames.of(code);
  } catch {
    return code;
  }
}

const createRow = ({ id, transactionId, submittedAt, identifierDate, language, findings }) =>
  h(
    'li',
    {},
    h(
      'a',
      { class: 'row', href: reviewHash(id) },
      h('span', { class: 'strong' }, `Waiting for ${timeSince(submittedAt)}`),
      h('span', { class: 'soft' }, 'Submitted ', timeElement(submittedAt)),
      h('span', { class: 'mono' }, bdiText(transactionId)),
      h('span', { class: 'soft' }, 'Identifier date ', timeElement(identifierDate), ` · ${languageName(language)}`),
      findingTags(findings),
      icon('next'),
    ),
  );

const countText = () => {
  const { length } = waitingReviews();
  return `${waitingCountText()} ${length === 1 && !hasMore() ? 'transaction waits' : 'transactions wait'} for a decision`;
};

const focusRow = (index) => document.querySelectorAll('a.row')[index]?.focus();

/** Shows the reviews that wait for a decision. `onError` gets errors of its buttons. */
export function showList(onError) {
  const withButtonDisabled = (work) => async (event) => {
    const pressedButton = event.currentTarget;
    if (pressedButton.getAttribute('aria-disabled')) return;
    pressedButton.setAttribute('aria-disabled', 'true');
    try {
      await work();
    } catch (error) {
      onError(error);
    } finally {
      pressedButton.removeAttribute('aria-disabled');
    }
  };
  const refreshList = withButtonDisabled(async () => {
    await refresh();
    showList(onError);
    document.querySelector('.refresh')?.focus();
    announce(waitingReviews().length === 0 ? 'No open reviews' : countText());
  });
  const showMore = withButtonDisabled(async () => {
    const shownCount = waitingReviews().length;
    const newCount = await loadMore();
    showList(onError);
    focusRow(shownCount);
    announce(`${newCount} more`);
  });
  const refreshButton = button('plain refresh', refreshList, icon('refresh'), 'Refresh');
  if (waitingReviews().length === 0) {
    const lead = h('p', { class: 'lead' }, 'New images appear here as soon as a person has submitted them.');
    return showView({ name: 'empty', heading: 'No open reviews', tab: 'Reviews' }, lead, refreshButton);
  }
  showView(
    { name: 'list', heading: 'Reviews', tab: 'Reviews' },
    h('div', { class: 'line' }, h('p', { class: 'lead' }, `${countText()}, oldest first.`), refreshButton),
    h('ol', { class: 'rows' }, waitingReviews().map(createRow)),
    hasMore() ? button('plain more', showMore, 'Load more') : undefined,
  );
}
