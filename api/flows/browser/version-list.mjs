import { callApi } from '../../pages/browser/call-api.mjs';
import { button, bdiText, h } from '../../pages/browser/elements.mjs';
import { announce } from '../../pages/browser/screen.mjs';
import { api, hashes } from './addresses.mjs';
import { deletedText, tag } from './tag.mjs';
import { timeElement } from './times.mjs';

const deletionText = ({ deletedAt, deletedBy }) => [
  'Deleted ',
  timeElement(deletedAt),
  ...(deletedBy ? [' by ', bdiText(deletedBy)] : []),
];

/** Links to the versions of a flow, newest first. `chosen`: the shown version. */
export function versionList(flow, chosen) {
  const row = ({ version, title, createdAt, createdBy, deletedAt, deletedBy, running }) =>
    h(
      'li',
      {},
      h(
        'a',
        { class: 'version', href: hashes.version(flow.name, version), 'aria-current': version === chosen && 'true' },
        h('span', { class: 'strong' }, `Version ${version}`),
        version === flow.active ? tag('good', 'Active') : undefined,
        deletedAt ? tag('busy', deletedText({ running })) : undefined,
        h('span', { class: 'small' }, title ? bdiText(title) : 'No title'),
        h('span', { class: 'soft small' }, timeElement(createdAt), ' by ', bdiText(createdBy)),
        deletedAt ? h('span', { class: 'soft small' }, deletionText({ deletedAt, deletedBy })) : undefined,
      ),
    );
  const list = h('ol', {}, flow.versions.map(row));
  let { next } = flow;
  const more = button(
    'plain more',
    async () => {
      try {
        const page = await callApi(api.flow(flow.name, next));
        const rows = page.versions.map(row);
        list.append(...rows);
        next = page.next;
        more.hidden = next === undefined;
        rows[0]?.querySelector('a').focus();
        announce(`${rows.length} more`);
      } catch {
        announce('Earlier versions could not be read. Try again.');
      }
    },
    'Earlier versions',
  );
  more.hidden = next === undefined;
  return h('nav', { 'aria-labelledby': 'versions' }, list, more);
}
