import { askConsent } from './ask-consent.mjs';
import { chooseDevice } from './choose-device.mjs';
import { h } from './elements.mjs';
import { Closed, showDone, showEnd } from './ends.mjs';
import { giveConsent, openLink, readSession, submit } from './link-api.mjs';
import { show } from './screen.mjs';
import { texts } from './shell.mjs';
import { takeCapture } from './take-capture.mjs';

const captures = [
  { kind: 'documentFront', step: 2, facing: 'environment' },
  { kind: 'documentBack', step: 3, facing: 'environment' },
  { kind: 'selfie', step: 4, facing: 'user' },
];

const isOver = ({ status }) => status !== 'Waiting' && status !== 'InProgress';

/**
 * From the opened link to the end. After a reload it goes on at the first step that is not done. What the session tells of
 * as done is told again: whoever was to keep it may have failed in the middle.
 */
async function walk() {
  let session = await readSession();
  if (session.owner === 'other') throw new Closed('taken');
  const handedIn = session.status === 'Processing';
  if (isOver(session) && !handedIn) return finish(session);
  if (session.owner === 'nobody') await chooseDevice();
  if (!handedIn) {
    session = await openLink();
    session = session.consented ? await giveConsent() : await askConsent();
  }
  let missing = captures.map(({ kind }) => kind).filter((kind) => !handedIn && !session.captures[kind]);
  for (;;) {
    for (const capture of captures) if (missing.includes(capture.kind)) await takeCapture(capture);
    show(
      { name: 'sending', heading: texts.sending.finishing },
      h('progress', { 'aria-label': texts.sending.finishing }),
    );
    const submitted = await submit();
    if (!submitted.missing) return finish(submitted);
    missing = submitted.missing;
  }
}

function finish(session) {
  if (session.owner !== 'you') throw new Closed('used');
  showDone(session);
}

/** Browsers may load a page ahead of a click: only a person who looks at it takes the link. */
const looked = document.prerendering
  ? new Promise((resolve) => document.addEventListener('prerenderingchange', resolve, { once: true }))
  : Promise.resolve();

// A page that comes back from the browser's memory has lost its camera, and may be behind.
window.addEventListener('pageshow', (event) => event.persisted && location.reload());

looked.then(walk).catch(showEnd);
