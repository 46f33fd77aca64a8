import type { ComponentChildren } from 'preact';

export interface Column {
  name: string;
  isNumber?: boolean;
  /** Whether narrow screens hide the column. */
  isHiddenOnNarrowScreens?: boolean;
}

interface DataTableProps {
  caption: string;
  columns: readonly Column[];
  /** The first cell of a row is its header. */
  rows: readonly (readonly ComponentChildren[])[];
  /** Whether the table has many narrow columns, such as one for each day. */
  isDense?: boolean;
}

const classOf = (column: Column | undefined) =>
  column?.isNumber ? 'number' : column?.isHiddenOnNarrowScreens ? 'wide-only' : undefined;

/** A table with a caption. A wide table scrolls sideways. */
export const DataTable = ({ caption, columns, rows, isDense = false }: DataTableProps) => (
  <div class={isDense ? 'scroll days' : 'scroll'} role="region" aria-label={caption} tabIndex={0}>
    <table class="data">
      <caption>{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col" class={classOf(column)}>
              {column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([head, ...cells]) => (
          <tr>
            <th scope="row">{head}</th>
            {cells.map((cell, at) => (
              <td class={classOf(columns[at + 1])}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
