import { callApi, ApiError } from '../../pages/browser/call-api.mjs';
import { isolatedText, h, icon } from '../../pages/browser/elements.mjs';
import { showView } from '../../pages/browser/screen.mjs';
import { api, hashes } from './addresses.mjs';
import { createDiagram } from './drawing.mjs';
import { startPolling } from './live.mjs';
import { createLiveLine } from './live-line.mjs';
import { pathTable } from './path-table.mjs';
import { runFacts } from './run-facts.mjs';
import { zoneText } from './times.mjs';

/** Reads the diagram of a run. Resolves to undefined if the version of the run does not exist any more. */
const readDiagram = (at) =>
  callApi(`${at}/diagram.svg`).catch((error) => {
    if (error instanceof ApiError && error.code === 'flow_version_not_found') return undefined;
    throw error;
  });

export async function readRun(transaction, run) {
  const at = api.run(transaction, run);
  const [found, svg] = await Promise.all([callApi(at), readDiagram(at)]);
  return { transaction, at, run: found, svg };
}

/** Shows the path of a run, and refreshes it while it runs. */
export function showRun({ transaction, at, run: first, svg }) {
  const diagram = createDiagram('Diagram with the path of the run');
  const line = createLiveLine();
  const facts = h('div');
  const path = h('div');
  let shownRun;

  function showFacts(run) {
    line.fresh();
    line.element.hidden = run.status !== 'Running';
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
    const run = await callApi(at);
    if (showFacts(run)) showDiagram(await readDiagram(at));
    if (run.status !== 'Running') stop();
  };

  showFacts(first);
  showDiagram(svg);
  const stop = first.status === 'Running' ? startPolling(refresh, line.stale) : () => {};
  const { flow, version } = first;
  showView(
    { name: 'run', heading: ['Run of ', isolatedText(flow)], tab: `Run of ${flow}`, onLeave: stop },
    h(
      'div',
      { class: 'line' },
      h(
        'p',
        { class: 'lead' },
        'By ',
        h('a', { href: hashes.version(flow, version) }, `version ${version}`),
        ', transaction ',
        h('span', { class: 'mono whole' }, isolatedText(transaction)),
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
        h('div', { class: 'card block' }, line.element, facts),
        h('div', { class: 'card block' }, path),
      ),
    ),
  );
}
