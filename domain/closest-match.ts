/** The share of letters that may differ. It is higher when the first letter is the same, as in `coed` and `code`. */
const share = { otherwise: 0.25, begunAlike: 0.5 } as const;

/** Longer names are not compared: the time grows with the product of two lengths. */
const comparedMost = 200;

/** The edit distance of two texts. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let index = 0; index < one.length; index += 1) {
    const above = row;
    row = [index + 1];
    for (let at = 0; at < other.length; at += 1) {
      const changed = (above[at] ?? 0) + (one[index] === other[at] ? 0 : 1);
      row.push(Math.min(changed, (above[at + 1] ?? 0) + 1, (row[at] ?? 0) + 1));
    }
  }
  return row.at(-1) ?? 0;
}

/**
 * The candidate closest to a name, ignoring case; the first of equals. Undefined when none is close enough.
 */
export function closestMatch(name: string, candidates: readonly string[]): string | undefined {
  const written = name.toLowerCase();
  let closest: { candidate: string; far: number } | undefined;
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    const longest = Math.max(written.length, other.length);
    if (longest > comparedMost) continue;
    const far = distance(written, other);
    const most = written !== '' && written[0] === other[0] ? share.begunAlike : share.otherwise;
    if (far <= most * longest && far < (closest?.far ?? Infinity)) closest = { candidate, far };
  }
  return closest?.candidate;
}

/** Names listed in a message: as many as a flow may have steps. */
const listedMost = 40;
/** Longer names are cut in a list. */
const shownMost = 60;

/**
 * The fix for an unknown name: the closest match as a question, then all candidates. `words` precede the list, `end` follows it.
 */
export function suggestNames(words: string, name: string, candidates: readonly string[], end = '.'): string {
  const meant = candidates.length > listedMost ? undefined : closestMatch(name, candidates);
  const shown = (text: string) => (text.length > shownMost ? `${text.slice(0, shownMost)}…` : text);
  const question = meant === undefined ? '' : `Did you mean ${shown(meant)}? `;
  const more = candidates.length > listedMost ? ' …' : '';
  return `${question}${words} ${candidates.slice(0, listedMost).map(shown).join(', ')}${more}${end}`;
}
