import './biometrics.css';
import { reportHeight, tellParent } from '../person/parent-window';
import { Spinner } from '../kit/progress';
import { askConsent } from './ask-consent';
import { captures } from './captures';
import { chooseDevice } from './choose-device';
import { LinkClosedError } from './errors';
import { showDone, showErrorScreen } from './final-screens';
import { giveConsent, openLink, readLinkState, type LinkState, submit } from './link-api';
import { settings } from './page-settings';
import { texts } from './page-texts';
import { showScreen } from './screen';
import { takeCapture } from './take-capture';

/** Whether the person has nothing more to send. */
const isFinished = ({ status }: LinkState) => status !== 'Waiting' && status !== 'InProgress';

/** Shows the last screen, but only to the owner of the link, because the screen has data of the link. */
function finish(session: LinkState): void {
  if (session.owner !== 'you') throw new LinkClosedError('used');
  showDone(session);
}

/**
 * Runs all steps. After a reload, continues with the first open step, and repeats the requests of earlier steps: to open the link, to save
 * the consent, and to submit the images. The response to an earlier request may have been lost, and a repeat does no harm.
 */
async function runSteps(): Promise<void> {
  let session = await readLinkState();
  if (session.owner === 'other') throw new LinkClosedError('taken');
  const submitted = session.status === 'Processing';
  if (isFinished(session) && !submitted) return finish(session);
  if (!submitted) tellParent(settings.frame, { type: 'ready' });
  if (session.owner === 'nobody') await chooseDevice();
  if (!submitted) {
    session = await openLink();
    session = session.consented ? await giveConsent() : await askConsent();
  }
  const { captures: saved } = session;
  let missing = captures.map(({ kind }) => kind).filter((kind) => !submitted && !saved[kind]);
  for (;;) {
    for (const capture of captures) if (missing.includes(capture.kind)) await takeCapture(capture);
    const { finishing } = texts.sending;
    showScreen({ name: 'sending', heading: finishing, content: <Spinner label={finishing} /> });
    const result = await submit();
    if (!('missing' in result)) return finish(result);
    missing = [...result.missing];
  }
}

/**
 * Resolves when the page is visible. A browser may render a page before the person opens it (prerendering). Until the person opens the
 * page, the page must not open the link.
 */
const pageVisible = (document as { prerendering?: boolean }).prerendering
  ? new Promise((resolve) => document.addEventListener('prerenderingchange', resolve, { once: true }))
  : Promise.resolve();

// A page from the browser's back/forward cache shows old data, and its camera is off. So it loads again.
window.addEventListener('pageshow', (event) => event.persisted && location.reload());
reportHeight(settings.frame);
void pageVisible.then(runSteps).catch(showErrorScreen);
