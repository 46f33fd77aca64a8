import { h } from '../../pages/browser/elements.mjs';
import { isLoaded, refresh, removeReview } from './queue.mjs';
import { announceNext } from '../../pages/browser/screen.mjs';
import { showFailure } from '../../pages/browser/show-failure.mjs';
import { readReview, showReview } from './show-review.mjs';
import { reviewHash, showList } from './show-list.mjs';
import { decidedTexts } from './labels.mjs';

const openId = () => /^#\/reviews\/([\w.~-]+)$/.exec(location.hash)?.[1];

/** A later navigation replaces an earlier one that is still loading. */
let navigations = 0;

/** Shows the view of the hash. */
async function go() {
  navigations += 1;
  const navigation = navigations;
  try {
    if (!isLoaded()) await refresh();
    const id = openId();
    const review = id && (await readReview(id));
    if (navigation !== navigations) return;
    if (review) showReview(review, decided, (error) => showTrouble(error, id));
    else showList(showTrouble);
  } catch (error) {
    if (navigation === navigations) await showTrouble(error, openId());
  }
}

function goTo(id) {
  const hash = id ? reviewHash(id) : '#/';
  if (location.hash === hash) return go();
  location.replace(hash);
  return undefined;
}

/** If the reviewer opened another view while the decision was sent, that view stays. */
async function decided({ id, status }) {
  const text = decidedTexts[status] ?? status;
  const next = await removeReview(id);
  const isThere = openId() === id;
  announceNext(isThere && next ? `${text} This is the next one.` : text);
  if (isThere) return goTo(next);
  return openId() ? undefined : go();
}

/** Shows the list with a text, after another reviewer was faster. */
async function backToList(id, text) {
  await removeReview(id);
  await refresh().catch(() => undefined);
  announceNext(text);
  return openId() === id || !openId() ? goTo(undefined) : undefined;
}

const forbidden = [
  'This client has no access',
  'Reviews need the scope biometrics:review. Sign in with a client that has it.',
];

async function showTrouble(error, id) {
  if (id && error.code === 'not_in_review')
    return backToList(
      id,
      'This review was already decided, by another reviewer or by you. Your decision was not saved.',
    );
  if (id && error.code === 'review_not_found') return backToList(id, 'This review does not exist any more.');
  const back = id ? h('a', { class: 'back', href: '#/' }, 'All reviews') : undefined;
  showFailure(error, { tab: 'Reviews', forbidden, again: () => void go(), back });
}

window.addEventListener('hashchange', () => void go());
// A page from the back/forward cache would show an old view.
window.addEventListener('pageshow', (event) => event.persisted && location.reload());

void go();
