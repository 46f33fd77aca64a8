import { replaceSignIn } from '../../pages/browser/call-api.mjs';
import { h, icon } from '../../pages/browser/elements.mjs';
import { request } from '../../pages/browser/request.mjs';
import { showFailure } from '../../pages/browser/show-failure.mjs';
import { hashes, parseHash } from './addresses.mjs';
import { readFlow, showFlow } from './show-flow.mjs';
import { readFlows, showFlows } from './show-flows.mjs';
import { readRunsAt, showRunsAt } from './show-runs-at.mjs';
import { readRun, showRun } from './show-run.mjs';
import { readRuns, showRuns } from './show-runs.mjs';
import { signIn } from '../../pages/browser/sign-in.mjs';

/** Whether the page needs no sign-in. */
const opensWithoutSignIn = document.body.dataset.open !== undefined;

/** Gets a token: from the local stack if the page needs no sign-in, otherwise by signing in. */
async function getAccess(reason) {
  if (!opensWithoutSignIn || reason === 'rejected') return signIn(reason);
  const { status, answer } = await request('/flows/session');
  if (status !== 200) return signIn(reason);
  document.getElementById('who').replaceChildren(h('p', {}, 'Local stack: this machine needs no sign-in'));
  return { token: answer.token, name: 'the local stack' };
}

/** By view: reads the data of the view, and resolves to a function that shows it. */
const views = {
  flows: async () => {
    const flows = await readFlows();
    return () => showFlows(flows);
  },
  flow: async ({ name, version }) => {
    const found = await readFlow(name, version);
    return () => showFlow(found);
  },
  runsAt: async (place) => {
    const found = await readRunsAt(place);
    return () => showRunsAt(found);
  },
  runs: async ({ transaction }) => {
    const runs = await readRuns(transaction);
    return () => showRuns(transaction, runs);
  },
  run: async ({ transaction, run }) => {
    const found = await readRun(transaction, run);
    return () => showRun(found);
  },
};

const forbiddenTexts = [
  'This client has no access',
  'To see flows, a client needs the scope flows:read. To see runs, it also needs transaction:read. Sign in with such a client.',
];

/** Heading and text of an error page, by problem code. */
const textsByCode = {
  flow_not_found: ['This flow does not exist', 'Check the name, or choose a flow from the list.'],
  flow_version_not_found: ['This flow has no such version', 'Choose the flow from the list to see its versions.'],
  transaction_not_found: ['This transaction does not exist', 'Check the id. A part of it may be missing.'],
  run_not_found: [
    'This transaction has no such run',
    'Open the list of all flows, and enter the id of the transaction there. Then you see its runs.',
  ],
  validation_failed: [
    'This page does not exist',
    'The version has no such step or outcome. Choose the flow from the list of flows.',
  ],
};

/** Counts navigations. A view that loads slowly must not replace the view of a later navigation. */
let navigationCount = 0;

async function showView() {
  navigationCount += 1;
  const navigation = navigationCount;
  const place = parseHash(location.hash);
  try {
    const render = await views[place.view](place);
    if (navigation === navigationCount) render();
  } catch (error) {
    if (navigation !== navigationCount) return;
    const back = h('a', { class: 'back', href: hashes.flows }, icon('back'), 'All flows');
    showFailure(error, { tab: 'Flows', forbiddenTexts, textsByCode, again: () => void showView(), back });
  }
}

replaceSignIn(getAccess);
window.addEventListener('hashchange', () => void showView());
// A page from the back/forward cache would show old numbers.
window.addEventListener('pageshow', (event) => event.persisted && location.reload());

void showView();
