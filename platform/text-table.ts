/** Formats rows for a terminal: each column is as wide as its longest cell. Each line ends with a line break. */
export function formatColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const formatRow = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   ');
  return rows.map((row) => `${formatRow(row).trimEnd()}\n`).join('');
}
