import { callApi } from '../../pages/browser/call-api.mjs';
import { capturedImage } from './captured-image.mjs';
import { decisionForm } from './decision-form.mjs';
import { instant, since } from '../../pages/browser/dates.mjs';
import { foreign, h, icon } from '../../pages/browser/elements.mjs';
import { enlargeImage } from './enlarge-image.mjs';
import { waitingText } from './queue.mjs';
import { show } from '../../pages/browser/screen.mjs';
import { signedImages } from './signed-images.mjs';
import { tags } from './tags.mjs';
import { transactionFacts } from './transaction-facts.mjs';
import { captureKinds } from './labels.mjs';

export const readReview = (id) => callApi(`/v1/reviews/${encodeURIComponent(id)}`);

/** Shows one review. `onDecided` gets the response of a decision, `onTrouble` gets other errors. */
export function showReview(review, onDecided, onTrouble) {
  const { id, transactionId, submittedAt, status, captures, findings, decision } = review;
  const images = signedImages(review, () => readReview(id));
  const pictures = captureKinds.map((kind) => ({ kind, url: undefined, turns: 0, shown: new Set() }));
  const figures = pictures.map((picture) =>
    capturedImage(...[picture, captures[picture.kind], findings, () => images.load(picture.kind)], () =>
      enlargeImage(picture, pictures),
    ),
  );
  const form =
    status === 'Processing'
      ? decisionForm(id, onDecided, onTrouble)
      : h('p', { class: 'card' }, `This was already decided: ${status}. `, decision && foreign(decision.reason));
  show(
    {
      name: 'review',
      heading: ['Review of ', h('span', { class: 'mono' }, foreign(transactionId))],
      tab: 'Review',
      onLeave: images.forget,
    },
    h(
      'div',
      { class: 'line' },
      h('p', { class: 'lead' }, `Waiting for ${since(submittedAt)}, submitted `, instant(submittedAt)),
      h('a', { class: 'back', href: '#/' }, icon('back'), `All reviews (${waitingText()})`),
    ),
    tags(findings),
    h('div', { class: 'captures' }, figures),
    h('div', { class: 'below' }, h('div', { class: 'facts' }, transactionFacts(review)), form),
  );
}
