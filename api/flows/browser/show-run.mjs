import { callApi, ApiError } from '../../pages/browser/call-api.mjs';
import { bdiText, h, icon } from '../../pages/browser/elements.mjs';
import { showView } from '../../pages/browser/screen.mjs';
import { api, hashes } from './addresses.mjs';
import { createDiagram } from './diagram.mjs';
import { startPolling } from './start-polling.mjs';
import { createLiveLine } from './live-line.mjs';
import { pathTable } from './path-table.mjs';
import { runFacts } from './run-facts.mjs';
import { zoneText } from './times.mjs';

/** Reads the diagram of a run. Resolves to undefined if the version of the run does not exist any more. */
const readDiagram = (runPath) =>
  callApi(`${runPath}/diagram.svg`).catch((error) => {
    if (error instanceof ApiError && error.code === 'flow_version_not_found') return undefined;
    throw error;
  });

export async function readRun(transaction, run) {
  const runPath = api.run(transaction, run);
  const [found, svg] = await Promise.all([callApi(runPath), readDiagram(runPath)]);
  return { transaction, runPath, run: found, svg };
}

/** Shows the path of a run, and refreshes it while it runs. */
export function showRun({ transaction, runPath, run: firstRun, svg }) {
  const diagram = createDiagram('Diagram with the path of the run');
  const liveLine = createLiveLine();
  const facts = h('div');
  const path = h('div');
  let shownRun;

  function showFacts(run) {
    liveLine.showFresh();
    liveLine.element.hidden = run.status !== 'Running';
    const text = JSON.stringify(run);
    if (text === shownRun) return false;
    shownRun = text;
    facts.replaceChildren(runFacts(run));
    path.replaceChildren(pathTable(run));
    return true;
  }
  function showDiagram(text) {
    if (text === undefined) diagram.showText('The version of this run was deleted, so there is no diagram.');
    else diagram.draw(text);
  }
  const refresh = async () => {
    const run = await callApi(runPath);
    if (showFacts(run)) showDiagram(await readDiagram(runPath));
    if (run.status !== 'Running') stop();
  };

  showFacts(firstRun);
  showDiagram(svg);
  const stop = firstRun.status === 'Running' ? startPolling(refresh, liveLine.showStale) : () => {};
  const { flow, version } = firstRun;
  showView(
    { name: 'run', heading: ['Run of ', bdiText(flow)], tab: `Run of ${flow}`, onLeave: stop },
    h(
      'div',
      { class: 'line' },
      h(
        'p',
        { class: 'lead' },
        'By ',
        h('a', { href: hashes.version(flow, version) }, `version ${version}`),
        ', transaction ',
        h('span', { class: 'mono whole' }, bdiText(transaction)),
        `. ${zoneText}`,
      ),
      h('a', { class: 'back', href: hashes.runs(transaction) }, icon('back'), 'All runs of the transaction'),
    ),
    h(
      'div',
      { class: 'sides' },
      h('div', { class: 'main-side' }, diagram.element),
      h(
        'div',
        { class: 'side' },
        h('div', { class: 'card block' }, liveLine.element, facts),
        h('div', { class: 'card block' }, path),
      ),
    ),
  );
}
