import { enterBy } from '../../pages/browser/call-api.mjs';
import { h, icon } from '../../pages/browser/elements.mjs';
import { showFailure } from '../../pages/browser/show-failure.mjs';
import { hashes, placeOf } from './addresses.mjs';
import { enter } from './enter.mjs';
import { readFlow, showFlow } from './show-flow.mjs';
import { readFlows, showFlows } from './show-flows.mjs';
import { readRunsAt, showRunsAt } from './show-runs-at.mjs';
import { readRun, showRun } from './show-run.mjs';
import { readRuns, showRuns } from './show-runs.mjs';

/** Reads what a view shows, and resolves to what shows it. */
const views = {
  flows: async () => {
    const flows = await readFlows();
    return () => showFlows(flows);
  },
  flow: async ({ name, version }) => {
    const found = await readFlow(name, version);
    return () => showFlow(found);
  },
  there: async (place) => {
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

const forbidden = [
  'You may not see this',
  'Flows need a client with the scope flows:read, runs one with transaction:read. Ask the operator for one that has them.',
];

/** What the API says of these is for programs. */
const missing = {
  flow_not_found: ['There is no flow of this name', 'Choose one from the list. Check how its name is written.'],
  flow_version_not_found: [
    'This flow has no such version',
    'Choose the flow from the list to see the versions that it has.',
  ],
  transaction_not_found: ['There is no transaction of this id', 'Check the id: a part of it may be missing.'],
  run_not_found: [
    'This transaction has no such run',
    'Look for the transaction, from the list of flows, to see the runs that it has.',
  ],
  validation_failed: [
    'There is nothing at this address',
    'The version has no such step or outcome. Start from the list of flows.',
  ],
};

/** A later step of who looks wins over what an earlier one still waits for. */
let steps = 0;

async function go() {
  steps += 1;
  const step = steps;
  const place = placeOf(location.hash);
  try {
    const showIt = await views[place.view](place);
    if (step === steps) showIt();
  } catch (error) {
    if (step !== steps) return;
    const back = h('a', { class: 'back', href: hashes.flows }, icon('back'), 'All flows');
    showFailure(error, { tab: 'Flows', forbidden, missing, again: () => void go(), back });
  }
}

enterBy(enter);
window.addEventListener('hashchange', () => void go());
// A page that comes back from the browser's memory would show what was left, and old numbers.
window.addEventListener('pageshow', (event) => event.persisted && location.reload());

void go();
