import { callApi } from '../../pages/browser/call-api.mjs';
import { foreign, h, icon } from '../../pages/browser/elements.mjs';
import { show } from '../../pages/browser/screen.mjs';
import { api, hashes } from './addresses.mjs';
import { drawing } from './drawing.mjs';
import { live } from './live.mjs';
import { liveLine } from './live-line.mjs';
import { endedTable, outcomesTable, runsText, stepsTable } from './numbers.mjs';
import { deletedText, tag } from './tag.mjs';
import { zoneText } from './times.mjs';
import { versionList } from './version-list.mjs';

const days = 7;

const readCounts = (at) => callApi(`${at}/counts?days=${days}`);
const draw = (at, kind) => callApi(`${at}/diagram.svg?counts=${kind}&days=${days}`);

/** A flow with a version: by default the active one, otherwise the newest. */
export async function readFlow(name, version) {
  const flow = await callApi(api.flow(name));
  const chosen = Number(version ?? flow.active ?? flow.newest);
  const at = api.version(name, chosen);
  const [{ definition, deletedAt }, counts, svg] = await Promise.all([
    callApi(`${at}?deleted=true`),
    readCounts(at),
    draw(at, 'entered'),
  ]);
  return { flow, chosen, ...definition, deletedAt, at, counts, svg };
}

const kinds = [
  ['entered', 'entered it'],
  ['current', 'are there now'],
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
    h('legend', { class: 'soft small' }, 'A number on a step: runs that'),
    kinds.map(choice),
  );
}

function standingOf(flow, chosen, deletedAt) {
  if (chosen === flow.active) return tag('good', 'Active');
  if (!deletedAt) return tag('plain', 'Not active');
  return tag('busy', deletedText(flow.versions.find(({ version }) => version === chosen) ?? {}));
}

/** Shows a flow, and refreshes its numbers until another view is shown. */
export function showFlow({ flow, chosen, title, steps, deletedAt, at, counts, svg }) {
  const shown = { name: flow.name, version: chosen };
  const picture = drawing(`Diagram of version ${chosen}`, linkOf);
  const line = liveLine();
  const total = h('p', { class: 'lead' });
  const numbers = h('div', { class: 'numbers' });
  let kind = 'entered';
  let known;

  /** A step of the diagram links to the runs that its number counts. */
  function linkOf(step) {
    if (!Object.hasOwn(steps, step)) return undefined;
    const sort = steps[step].kind === 'outcome' ? 'entered' : kind;
    return { href: hashes.there(flow.name, chosen, { sort, what: step }), name: `Runs at ${step}` };
  }

  function showCounts(fresh) {
    line.fresh();
    const text = JSON.stringify({ ...fresh, since: undefined });
    if (text === known) return false;
    known = text;
    total.textContent = `${runsText(fresh.runs)} in the last ${days} days`;
    numbers.replaceChildren(
      outcomesTable(fresh, steps, shown),
      endedTable(fresh, steps),
      stepsTable(fresh, steps, shown),
    );
    return true;
  }
  async function redraw() {
    const wanted = kind;
    const text = await draw(at, wanted);
    if (wanted === kind) picture.draw(text);
  }
  const refresh = async () => {
    if (showCounts(await readCounts(at))) await redraw();
  };
  const choose = (other) => {
    kind = other;
    redraw().catch(line.stale);
  };

  showCounts(counts);
  picture.draw(svg);
  show(
    {
      ...{ name: 'flow', heading: foreign(flow.name), tab: flow.name },
      onLeave: live(refresh, line.stale),
    },
    h(
      'div',
      { class: 'line' },
      h('p', { class: 'lead' }, title ? foreign(title) : 'No title'),
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
          h('h2', { id: 'version' }, `Version ${chosen} `, standingOf(flow, chosen, deletedAt)),
          kindChoice(choose),
        ),
        picture.element,
      ),
      h(
        'div',
        { class: 'side' },
        h('div', { class: 'card block' }, h('h2', {}, 'Runs'), total, line.element, numbers),
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
