import { h } from '../../pages/browser/elements.mjs';

/**
 * Creates a table that scrolls if it is too wide. `columns`: [{ name, number?, spare? }]. Narrow screens hide `spare` columns. The
 * first cell of a row is its header.
 */
export function table(caption, columns, rows) {
  const classOf = (at) => (columns[at].number ? 'number' : columns[at].spare ? 'spare' : undefined);
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
          columns.map(({ name }, at) => h('th', { scope: 'col', class: classOf(at) }, name)),
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
            cells.map((cell, at) => h('td', { class: classOf(at + 1) }, cell)),
          ),
        ),
      ),
    ),
  );
}
