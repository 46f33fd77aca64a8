import { callApi } from '../../pages/browser/call-api.mjs';
import { bdiText, h, icon } from '../../pages/browser/elements.mjs';
import { showView } from '../../pages/browser/screen.mjs';
import { api, hashes } from './addresses.mjs';
import { runSearchForm } from './find-runs.mjs';
import { reasonsOf } from './path-table.mjs';
import { statusTag } from './status-tag.mjs';
import { timeElement, zoneText } from './times.mjs';

export const readRuns = (transaction) => callApi(api.runs(transaction));

const row = (transaction) => (run) => {
  const reasons = reasonsOf(run);
  return h(
    'li',
    {},
    h(
      'a',
      { class: 'row', href: hashes.run(transaction, run.runId) },
      h('span', { class: 'strong' }, bdiText(run.flow), ` version ${run.version}`),
      h('span', { class: 'soft' }, 'Started ', timeElement(run.startedAt)),
      h('span', {}, statusTag(run)),
      h('span', { class: 'soft small' }, run.status === 'Running' ? 'Now at ' : 'Ended at ', bdiText(run.step)),
      reasons.length > 0 ? h('span', { class: 'soft small walk' }, ...reasons) : undefined,
      icon('next'),
    ),
  );
};

/** Shows the runs of a transaction, newest first. */
export function showRuns(transaction, runs) {
  const lead =
    runs.length === 0
      ? 'This transaction has no flow runs.'
      : `Newest first. Choose a run to see its path. ${zoneText}`;
  showView(
    {
      ...{ name: 'runs', tab: 'Runs' },
      heading: ['Runs of ', h('span', { class: 'mono' }, bdiText(transaction))],
    },
    h(
      'div',
      { class: 'line' },
      h('p', { class: 'lead' }, lead),
      h('a', { class: 'back', href: hashes.flows }, icon('back'), 'All flows'),
    ),
    runSearchForm(transaction),
    h('ul', { class: 'rows' }, runs.map(row(transaction))),
  );
}
