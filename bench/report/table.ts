/** A Markdown table with padded columns. The first column is aligned left, the others right. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const formatLine = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (column ? (cells[column] ?? '').padStart(width) : (cells[column] ?? '').padEnd(width))).join(' | ')} |`;
  const separator = widths.map((width, column) => (column ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  return [formatLine(header), formatLine(separator), ...rows.map(formatLine)].join('\n');
}

/** A number with thousands separators and a fixed number of decimals. */
export const formatNumber = (value: number, digits = 2): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
