/**
 * A name or value as it stands in a message: in backticks, so that a reader sees where it starts and ends. A backtick in the text becomes an
 * apostrophe. So backticks in a message always come in pairs, and pages can show the quoted parts as code.
 */
export const quote = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

/** Quoted names as a list. */
export const quoteAll = (names: readonly string[]): string => names.map(quote).join(', ');

/** How many names a message lists at most. A flow has at most the same number of steps, so a list of its steps is never cut. */
const listedNamesMax = 40;

/** Longer names are cut in a list. */
const shownLengthMax = 60;

/**
 * Says how to fix an unknown name. The text asks `Did you mean …?` with the closest match, if there is one. Then it lists the candidates,
 * between `introduction` and `end`.
 */
export function suggestNames(introduction: string, name: string, candidates: readonly string[], end = '.'): string {
  const closest = candidates.length > listedNamesMax ? undefined : closestMatch(name, candidates);
  const shorten = (text: string) => (text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}…` : text);
  const question = closest === undefined ? '' : `Did you mean ${quote(shorten(closest))}? `;
  const ellipsis = candidates.length > listedNamesMax ? ' …' : '';
  return `${question}${introduction} ${quoteAll(candidates.slice(0, listedNamesMax).map(shorten))}${ellipsis}${end}`;
}

/**
 * How many letters may differ, as a share of the length of the longer name. If both names begin with the same letter, such as `coed` and
 * `code`, more letters may differ.
 */
const allowedDifference = { otherwise: 0.25, sameFirstLetter: 0.5 } as const;

/** Longer names are not compared: the time of a comparison grows with the product of the two lengths. */
const comparedLengthMax = 60;

/** The edit distance: how many letters to add, remove or replace until both texts are equal. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let index = 0; index < left.length; index += 1) {
    const previousRow = row;
    row = [index + 1];
    for (let column = 0; column < right.length; column += 1) {
      const substituted = (previousRow[column] ?? 0) + (left[index] === right[column] ? 0 : 1);
      row.push(Math.min(substituted, (previousRow[column + 1] ?? 0) + 1, (row[column] ?? 0) + 1));
    }
  }
  return row.at(-1) ?? 0;
}

/**
 * The candidate that is closest to a name, without regard to case. If several candidates are equally close, the first one. Undefined
 * if none is close enough.
 */
export function closestMatch(name: string, candidates: readonly string[]): string | undefined {
  const lowerName = name.toLowerCase();
  let closest: { candidate: string; edits: number } | undefined;
  for (const candidate of candidates) {
    const lowerCandidate = candidate.toLowerCase();
    const lengthMax = Math.max(lowerName.length, lowerCandidate.length);
    if (lengthMax > comparedLengthMax) continue;
    const edits = distance(lowerName, lowerCandidate);
    const allowedShare =
      lowerName !== '' && lowerName[0] === lowerCandidate[0]
        ? allowedDifference.sameFirstLetter
        : allowedDifference.otherwise;
    if (edits <= allowedShare * lengthMax && edits < (closest?.edits ?? Infinity)) closest = { candidate, edits };
  }
  return closest?.candidate;
}

/**
 * Unsafe characters: control characters (C0 and C1), line and paragraph separators, halves of surrogate pairs, characters that change the
 * direction of text, invisible annotations (U+FFF9 to U+FFFB), and tags (U+E0000 to U+E007F). Some of them can forge lines of logs, some
 * hide what a text says, and some cannot be stored. Letters of every script, joiners (U+200C, U+200D) and emoji are safe. There is one
 * exception: the emoji for flags of regions, such as the flag of Scotland, are not safe, because they contain tags.
 */
const unsafeCharacters =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

const unsafeCharactersExceptLineFeed =
  /[^\P{Cc}\n]|[\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

const codePointOf = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * What is wrong with a text from outside the service, as the end of a sentence. Undefined if all its characters are safe.
 * `lineFeed`: whether the text may have several lines.
 */
export function unsafeCharacterIssue(text: string, { lineFeed = false } = {}): string | undefined {
  const [character] = (lineFeed ? unsafeCharactersExceptLineFeed : unsafeCharacters).exec(text) ?? [];
  if (character === undefined) return undefined;
  return `must not contain ${codePointOf(character)}: remove control characters, line separators, direction marks, annotations and tags`;
}

/** The length of a text in UTF-8, in bytes. A payload has this size, and not the number of UTF-16 units that `length` counts. */
export const utf8Bytes = (text: string): number => new TextEncoder().encode(text).length;
