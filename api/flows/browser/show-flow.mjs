import { callApi } from '../../pages/browser/call-api.mjs';
import { bdiText, h, icon } from '../../pages/browser/elements.mjs';
import { showView } from '../../pages/browser/screen.mjs';
import { api, hashes } from './addresses.mjs';
import { createDiagram } from './diagram.mjs';
import { startPolling } from './start-polling.mjs';
import { createLiveLine } from './live-line.mjs';
import { endedTable, outcomesTable, runsText, stepsTable } from './numbers.mjs';
import { deletedText, tag } from './tag.mjs';
import { zoneText } from './times.mjs';
import { versionList } from './version-list.mjs';

const days = 7;

const readCounts = (versionPath) => callApi(`${versionPath}/counts?days=${days}`);
const readDiagram = (versionPath, countKind) => callApi(`${versionPath}/diagram.svg?counts=${countKind}&days=${days}`);

/** Reads a flow with one version. By default, this is the active version or, if none is active, the newest. */
export async function readFlow(name, version) {
  const flow = await callApi(api.flow(name));
  const chosen = Number(version ?? flow.active ?? flow.newest);
  const versionPath = api.version(name, chosen);
  const [{ definition, deletedAt }, counts, svg] = await Promise.all([
    callApi(`${versionPath}?deleted=true`),
    readCounts(versionPath),
    readDiagram(versionPath, 'entered'),
  ]);
  return { flow, chosen, ...definition, deletedAt, versionPath, counts, svg };
}

/** The counts that the diagram can show, with their labels. */
const countKinds = [
  ['entered', 'have entered it'],
  ['current', 'are at it now'],
];

function kindChoice(choose) {
  const choice = ([kind, label]) =>
    h(
      'label',
      { class: 'choice' },
      h('input', { type: 'radio', name: 'kind', value: kind, checked: kind === 'entered', change: () => choose(kind) }),
      label,
    );
  return h(
    'fieldset',
    { class: 'choices' },
    h('legend', { class: 'soft small' }, 'The number on a step counts the runs that'),
    countKinds.map(choice),
  );
}

function versionTag(flow, chosen, deletedAt) {
  if (chosen === flow.active) return tag('good', 'Active');
  if (!deletedAt) return tag('plain', 'Not active');
  return tag('busy', deletedText(flow.versions.find(({ version }) => version === chosen) ?? {}));
}

/** Shows a flow, and refreshes its numbers until another view is shown. */
export function showFlow({ flow, chosen, title, steps, deletedAt, versionPath, counts, svg }) {
  const flowVersion = { name: flow.name, version: chosen };
  const diagram = createDiagram(`Diagram of version ${chosen}`, linkOf);
  const liveLine = createLiveLine();
  const total = h('p', { class: 'lead' });
  const numbers = h('div', { class: 'numbers' });
  let countKind = 'entered';
  let shownCounts;

  /** A step of the diagram links to the runs that its number counts. */
  function linkOf(step) {
    if (!Object.hasOwn(steps, step)) return undefined;
    const filter = steps[step].kind === 'outcome' ? 'entered' : countKind;
    return { href: hashes.runsAt(flow.name, chosen, { filter, value: step }), name: `Runs at ${step}` };
  }

  function showCounts(newCounts) {
    liveLine.showFresh();
    const text = JSON.stringify({ ...newCounts, since: undefined });
    if (text === shownCounts) return false;
    shownCounts = text;
    total.textContent = `${runsText(newCounts.runs)} in the last ${days} days`;
    numbers.replaceChildren(
      outcomesTable(newCounts, steps, flowVersion),
      endedTable(newCounts, steps),
      stepsTable(newCounts, steps, flowVersion),
    );
    return true;
  }
  async function redraw() {
    const requestedKind = countKind;
    const text = await readDiagram(versionPath, requestedKind);
    if (requestedKind === countKind) diagram.draw(text);
  }
  const refresh = async () => {
    if (showCounts(await readCounts(versionPath))) await redraw();
  };
  const choose = (newKind) => {
    countKind = newKind;
    redraw().catch(liveLine.showStale);
  };

  showCounts(counts);
  diagram.draw(svg);
  showView(
    {
      ...{ name: 'flow', heading: bdiText(flow.name), tab: flow.name },
      onLeave: startPolling(refresh, liveLine.showStale),
    },
    h(
      'div',
      { class: 'line' },
      h('p', { class: 'lead' }, title ? bdiText(title) : 'No title'),
      h('a', { class: 'back', href: hashes.flows }, icon('back'), 'All flows'),
    ),
    h(
      'div',
      { class: 'sides' },
      h(
        'section',
        { class: 'main-side', 'aria-labelledby': 'version' },
        h(
          'div',
          { class: 'line' },
          h('h2', { id: 'version' }, `Version ${chosen} `, versionTag(flow, chosen, deletedAt)),
          kindChoice(choose),
        ),
        diagram.element,
      ),
      h(
        'div',
        { class: 'side' },
        h('div', { class: 'card block' }, h('h2', {}, 'Runs'), total, liveLine.element, numbers),
        h(
          'div',
          { class: 'card block' },
          h('h2', { id: 'versions' }, 'Versions'),
          h('p', { class: 'soft small' }, zoneText),
          versionList(flow, chosen),
        ),
      ),
    ),
  );
}
