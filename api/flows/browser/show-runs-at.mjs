import { callApi } from '../../pages/browser/call-api.mjs';
import { bdiText, h, icon } from '../../pages/browser/elements.mjs';
import { showView } from '../../pages/browser/screen.mjs';
import { api, hashes } from './addresses.mjs';
import { exitText } from './path-table.mjs';
import { statusTag } from './status-tag.mjs';
import { timeElement, zoneText } from './times.mjs';

const days = 7;
/** The API returns at most this many runs. */
const runsMax = 50;

export async function readRunsAt({ name, version, filter, value }) {
  const { runs } = await callApi(api.runsAt(name, version, { filter, value }, days));
  return { name, version, filter, value, runs };
}

const statuses = { Running: 'Runs that are still running', Canceled: 'Runs that were canceled' };

function headingOf(filter, value) {
  if (filter === 'status') return statuses[value] ?? value;
  const headings = { entered: 'Runs that entered ', current: 'Runs that are now at ', outcome: 'Runs that ended as ' };
  return [headings[filter], bdiText(value)];
}

/** The path of a run in one line, with reasons. */
const pathOf = ({ path }) =>
  path.flatMap(({ step, exit, reason }, at) => [
    bdiText(step),
    exit ? ` \u2013 ${exitText(exit)}` : '',
    reason ? h('span', { class: 'soft' }, ' (', bdiText(reason), ')') : '',
    at < path.length - 1 ? ' \u2192 ' : '',
  ]);

const row = (run) =>
  h(
    'li',
    {},
    h(
      'a',
      { class: 'row', href: hashes.run(run.transactionId, run.runId) },
      h('span', { class: 'strong walk' }, ...pathOf(run)),
      h('span', { class: 'soft' }, 'Transaction ', h('span', { class: 'mono' }, bdiText(run.transactionId))),
      h('span', {}, statusTag(run)),
      h(
        'span',
        { class: 'soft' },
        'Started ',
        timeElement(run.startedAt),
        run.endedAt && ', ended ',
        run.endedAt && timeElement(run.endedAt),
      ),
      h('span', { class: 'soft' }, 'Run ', h('span', { class: 'mono' }, bdiText(run.runId))),
      icon('next'),
    ),
  );

function leadOf(filter, value, runs) {
  const period = filter === 'status' && value === 'Running' ? '' : ` that started in the last ${days} days`;
  if (runs.length === 0) return `There are no runs${period}.`;
  const selection = runs.length < runsMax ? `All runs${period}, newest first.` : `The newest ${runsMax} runs${period}.`;
  return `${selection} ${zoneText}`;
}

/** Shows the newest runs that a number on the page of a version counts. */
export function showRunsAt({ name, version, filter, value, runs }) {
  showView(
    { name: 'runsAt', heading: headingOf(filter, value), tab: `Runs of ${name}` },
    h(
      'div',
      { class: 'line' },
      h('p', { class: 'lead' }, bdiText(name), ` version ${version}. ${leadOf(filter, value, runs)}`),
      h('a', { class: 'back', href: hashes.version(name, version) }, icon('back'), `Version ${version}`),
    ),
    h('ul', { class: 'rows' }, runs.map(row)),
  );
}
