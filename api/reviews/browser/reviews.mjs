import { h } from '../../pages/browser/elements.mjs';
import { isLoaded, refresh, removeReview } from './queue.mjs';
import { announceInNextView } from '../../pages/browser/screen.mjs';
import { showFailure } from '../../pages/browser/show-failure.mjs';
import { readReview, showReview } from './show-review.mjs';
import { reviewHash, showList } from './show-list.mjs';
import { decidedTexts } from './labels.mjs';

const openReviewId = () => /^#\/reviews\/([\w.~-]+)$/.exec(location.hash)?.[1];

/** Counts navigations. A view that loads slowly must not replace the view of a later navigation. */
let navigationCount = 0;

/** Shows the view of the hash. */
async function showCurrentView() {
  navigationCount += 1;
  const navigation = navigationCount;
  try {
    if (!isLoaded()) await refresh();
    const id = openReviewId();
    const review = id && (await readReview(id));
    if (navigation !== navigationCount) return;
    if (review) showReview(review, onDecided, (error) => showError(error, id));
    else showList(showError);
  } catch (error) {
    if (navigation === navigationCount) await showError(error, openReviewId());
  }
}

function navigateTo(id) {
  const hash = id ? reviewHash(id) : '#/';
  if (location.hash === hash) return showCurrentView();
  location.replace(hash);
  return undefined;
}

/** If the reviewer opened another view while the decision was sent, that view stays. */
async function onDecided({ id, status }) {
  const text = decidedTexts[status] ?? status;
  const nextId = await removeReview(id);
  const isStillOpen = openReviewId() === id;
  announceInNextView(isStillOpen && nextId ? `${text} This is the next review.` : text);
  if (isStillOpen) return navigateTo(nextId);
  return openReviewId() ? undefined : showCurrentView();
}

/** Shows the list with a text, for example after another reviewer has decided first. */
async function backToList(id, text) {
  await removeReview(id);
  await refresh().catch(() => undefined);
  announceInNextView(text);
  return openReviewId() === id || !openReviewId() ? navigateTo(undefined) : undefined;
}

const forbiddenTexts = [
  'This client has no access',
  'Reviews need the scope biometrics:review. Sign in with a client that has it.',
];

async function showError(error, id) {
  if (id && error.code === 'not_in_review')
    return backToList(
      id,
      'This review was already decided, by another reviewer or by you. Your decision was not saved.',
    );
  if (id && error.code === 'review_not_found') return backToList(id, 'This review does not exist any more.');
  const back = id ? h('a', { class: 'back', href: '#/' }, 'All reviews') : undefined;
  showFailure(error, { tab: 'Reviews', forbiddenTexts, again: () => void showCurrentView(), back });
}

window.addEventListener('hashchange', () => void showCurrentView());
// A page from the back/forward cache would show an old view.
window.addEventListener('pageshow', (event) => event.persisted && location.reload());

void showCurrentView();
