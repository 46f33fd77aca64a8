import { closestMatch } from './closest-match';

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
