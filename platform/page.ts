/**
 * One page of a list. `found`: the rows from the start of the page on, one more than the page may have. Returns the rows of the page, and
 * `last`: the last of them, if there is a next page.
 */
export function pageOf<Row>(found: readonly Row[], limit: number): { rows: Row[]; last: Row | undefined } {
  const rows = found.slice(0, limit);
  return { rows, last: found.length > limit ? rows.at(-1) : undefined };
}
