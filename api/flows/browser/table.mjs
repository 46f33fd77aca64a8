import { h } from '../../pages/browser/elements.mjs';

/**
 * A table that scrolls by itself where it is too wide. `columns` is [{ name, number?, spare? }]: a spare one is left out
 * where there is little room. A row is its cells in their order, the first of which heads it.
 */
export function table(caption, columns, rows) {
  const look = (at) => (columns[at].number ? 'number' : columns[at].spare ? 'spare' : undefined);
  return h(
    'div',
    { class: 'scroll', role: 'region', 'aria-label': caption, tabindex: '0' },
    h(
      'table',
      {},
      h('caption', {}, caption),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          columns.map(({ name }, at) => h('th', { scope: 'col', class: look(at) }, name)),
        ),
      ),
      h(
        'tbody',
        {},
        rows.map(([head, ...cells]) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, head),
            cells.map((cell, at) => h('td', { class: look(at + 1) }, cell)),
          ),
        ),
      ),
    ),
  );
}
