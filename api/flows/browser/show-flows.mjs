import { callApi } from '../../pages/browser/call-api.mjs';
import { bdiText, h, icon } from '../../pages/browser/elements.mjs';
import { showView } from '../../pages/browser/screen.mjs';
import { api, hashes } from './addresses.mjs';
import { runSearchForm } from './find-runs.mjs';
import { deletedText, tag } from './tag.mjs';

/** All flows by name. */
export async function readFlows() {
  const flows = [];
  let after;
  do {
    const page = await callApi(api.flows(after));
    flows.push(...page.flows);
    after = page.next;
  } while (after);
  return flows;
}

const sources = { code: 'Built in', api: 'Your own' };

const row = ({ name, title, source, active, newest, deletedAt, running }) =>
  h(
    'li',
    {},
    h(
      'a',
      { class: 'row', href: hashes.flow(name) },
      h('span', { class: 'strong' }, bdiText(name)),
      h('span', { class: 'soft' }, title ? bdiText(title) : 'No title'),
      h(
        'span',
        { class: 'versions' },
        deletedAt ? tag('busy', deletedText({ running })) : undefined,
        active ? tag('good', `Version ${active} active`) : undefined,
        active || deletedAt ? undefined : tag('plain', 'No active version'),
        newest === active ? undefined : tag('plain', `Newest: version ${newest}`),
      ),
      h('span', { class: 'soft small' }, sources[source] ?? source),
      icon('next'),
    ),
  );

export function showFlows(flows) {
  const lead = flows.length === 0 ? 'There are no flows yet.' : 'Sorted by name. New runs use the active version.';
  showView(
    { name: 'flows', heading: 'Flows', tab: 'Flows' },
    h('div', { class: 'line' }, h('p', { class: 'lead' }, lead), runSearchForm()),
    h('ul', { class: 'rows' }, flows.map(row)),
  );
}
