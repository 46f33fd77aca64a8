import { askConsent } from './ask-consent.mjs';
import { chooseDevice } from './choose-device.mjs';
import { h } from '../../pages/browser/elements.mjs';
import { LinkClosedError, showDone, showErrorScreen } from './final-screens.mjs';
import { giveConsent, openLink, readSession, submit } from './link-api.mjs';
import { showScreen } from './screen.mjs';
import { texts } from './texts.mjs';
import { takeCapture } from './take-capture.mjs';

const captures = [
  { kind: 'documentFront', step: 2, facing: 'environment' },
  { kind: 'documentBack', step: 3, facing: 'environment' },
  { kind: 'selfie', step: 4, facing: 'user' },
];

const isFinished = ({ status }) => status !== 'Waiting' && status !== 'InProgress';

/**
 * Runs all steps. After a reload, continues with the first open step. Sends open and consent again, because an earlier request
 * may have failed halfway.
 */
async function runSteps() {
  let session = await readSession();
  if (session.owner === 'other') throw new LinkClosedError('taken');
  const submitted = session.status === 'Processing';
  if (isFinished(session) && !submitted) return finish(session);
  if (session.owner === 'nobody') await chooseDevice();
  if (!submitted) {
    session = await openLink();
    session = session.consented ? await giveConsent() : await askConsent();
  }
  let missing = captures.map(({ kind }) => kind).filter((kind) => !submitted && !session.captures[kind]);
  for (;;) {
    for (const capture of captures) if (missing.includes(capture.kind)) await takeCapture(capture);
    showScreen(
      { name: 'sending', heading: texts.sending.finishing },
      h('progress', { 'aria-label': texts.sending.finishing }),
    );
    const result = await submit();
    if (!result.missing) return finish(result);
    missing = result.missing;
  }
}

function finish(session) {
  if (session.owner !== 'you') throw new LinkClosedError('used');
  showDone(session);
}

/** Browsers may prerender a page: only a visible page may open the link. */
const pageVisible = document.prerendering
  ? new Promise((resolve) => document.addEventListener('prerenderingchange', resolve, { once: true }))
  : Promise.resolve();

// A page from the back/forward cache has no camera and may be out of date.
window.addEventListener('pageshow', (event) => event.persisted && location.reload());

pageVisible.then(runSteps).catch(showErrorScreen);
