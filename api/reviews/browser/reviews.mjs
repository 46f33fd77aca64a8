import { h } from '../../pages/browser/elements.mjs';
import { isLoaded, refresh, takeOut } from './queue.mjs';
import { announceNext } from '../../pages/browser/screen.mjs';
import { showFailure } from '../../pages/browser/show-failure.mjs';
import { readReview, showReview } from './show-review.mjs';
import { reviewHash, showList } from './show-list.mjs';
import { decidedTexts } from './labels.mjs';

const openId = () => /^#\/reviews\/([\w.~-]+)$/.exec(location.hash)?.[1];

/** A later step of the reviewer wins over what an earlier one still waits for. */
let steps = 0;

/** Shows what the address names, without a way back to what was decided. */
async function go() {
  steps += 1;
  const step = steps;
  try {
    if (!isLoaded()) await refresh();
    const id = openId();
    const review = id && (await readReview(id));
    if (step !== steps) return;
    if (review) showReview(review, decided, (error) => showTrouble(error, id));
    else showList(showTrouble);
  } catch (error) {
    if (step === steps) await showTrouble(error, openId());
  }
}

function goTo(id) {
  const hash = id ? reviewHash(id) : '#/';
  if (location.hash === hash) return go();
  location.replace(hash);
  return undefined;
}

/** The reviewer may have gone elsewhere while a decision was sent, and stays there. */
async function decided({ id, status }) {
  const words = decidedTexts[status] ?? status;
  const next = await takeOut(id);
  const isThere = openId() === id;
  announceNext(isThere && next ? `${words} This is the next one.` : words);
  if (isThere) return goTo(next);
  return openId() ? undefined : go();
}

/** Whoever decided first has decided: the list tells what is left. */
async function backToList(id, words) {
  await takeOut(id);
  await refresh().catch(() => undefined);
  announceNext(words);
  return openId() === id || !openId() ? goTo(undefined) : undefined;
}

const forbidden = [
  'You may not review',
  'This client has no leave to see or decide reviews. Ask the operator for one that has.',
];

async function showTrouble(error, id) {
  if (id && error.code === 'not_in_review')
    return backToList(
      id,
      'This one was decided already, by somebody else or by you a moment ago. Yours was not counted.',
    );
  if (id && error.code === 'review_not_found') return backToList(id, 'This review is not there any more.');
  const back = id ? h('a', { class: 'back', href: '#/' }, 'All reviews') : undefined;
  showFailure(error, { tab: 'Reviews', forbidden, again: () => void go(), back });
}

window.addEventListener('hashchange', () => void go());
// A page that comes back from the browser's memory would show what its reviewer has left.
window.addEventListener('pageshow', (event) => event.persisted && location.reload());

void go();
