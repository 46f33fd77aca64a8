import { callApi } from '../../pages/browser/call-api.mjs';
import { createImageFigure } from './captured-image.mjs';
import { decisionForm } from './decision-form.mjs';
import { timeElement, timeSince } from '../../pages/browser/dates.mjs';
import { bdiText, h, icon } from '../../pages/browser/elements.mjs';
import { enlargeImage } from './enlarge-image.mjs';
import { waitingCountText } from './queue.mjs';
import { showView } from '../../pages/browser/screen.mjs';
import { createImageLoader } from './signed-images.mjs';
import { findingTags } from './tags.mjs';
import { transactionFacts } from './transaction-facts.mjs';
import { captureKinds } from './labels.mjs';

export const readReview = (id) => callApi(`/v1/reviews/${encodeURIComponent(id)}`);

/** Shows one review. `onDecided` gets the response of a decision, `onError` gets other errors. */
export function showReview(review, onDecided, onError) {
  const { id, transactionId, submittedAt, status, captures, findings, decision } = review;
  const imageLoader = createImageLoader(review, () => readReview(id));
  const shownImages = captureKinds.map((kind) => ({ kind, url: undefined, turns: 0, shown: new Set() }));
  const figures = shownImages.map((image) =>
    createImageFigure(...[image, captures[image.kind], findings, () => imageLoader.load(image.kind)], () =>
      enlargeImage(image, shownImages),
    ),
  );
  const form =
    status === 'Processing'
      ? decisionForm(id, onDecided, onError)
      : h('p', { class: 'card' }, `This review was already decided: ${status}. `, decision && bdiText(decision.reason));
  showView(
    {
      name: 'review',
      heading: ['Review of ', h('span', { class: 'mono' }, bdiText(transactionId))],
      tab: 'Review',
      onLeave: imageLoader.forget,
    },
    h(
      'div',
      { class: 'line' },
      h(
        'p',
        { class: 'lead' },
        status === 'Processing' ? `Waiting for ${timeSince(submittedAt)}, submitted ` : 'Submitted ',
        timeElement(submittedAt),
      ),
      h('a', { class: 'back', href: '#/' }, icon('back'), `All reviews (${waitingCountText()})`),
    ),
    findingTags(findings),
    h('div', { class: 'captures' }, figures),
    h('div', { class: 'below' }, h('div', { class: 'facts' }, transactionFacts(review)), form),
  );
}
