/** Of a name, this share of letters may differ; and more where it begins alike, as `coed` and `code` do. */
const share = { otherwise: 0.25, begunAlike: 0.5 } as const;

/** Longer names are not compared: the time grows with the product of two lengths. */
const comparedMost = 200;

/** How many letters have to be put in, left out or changed to make one text of another. */
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
 * The candidate that was meant by a name that there is not, whatever the letter case; of equals the first. Undefined when none
 * is near: naming one for the other would mislead.
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

/** As many names as a message lists: as many as a flow may have steps. */
const listedMost = 40;
/** Longer names are cut in a list. */
const shownMost = 60;

/**
 * What to do about a name that there is not: all that there are, after the question whether the closest was meant. `words` begin
 * the list, and `end` follows it.
 */
export function suggestNames(words: string, name: string, candidates: readonly string[], end = '.'): string {
  const meant = candidates.length > listedMost ? undefined : closestMatch(name, candidates);
  const shown = (text: string) => (text.length > shownMost ? `${text.slice(0, shownMost)}…` : text);
  const question = meant === undefined ? '' : `Did you mean ${shown(meant)}? `;
  const more = candidates.length > listedMost ? ' …' : '';
  return `${question}${words} ${candidates.slice(0, listedMost).map(shown).join(', ')}${more}${end}`;
}
