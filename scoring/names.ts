import jaroWinkler from 'jaro-winkler';
import { namesWithoutParticles, wordsOf } from '../domain/scoring/name-words';

/**
 * Unrelated words have about this similarity. Up to this similarity, the likeness is 0. For a higher similarity, the likeness grows, up to
 * 1 for equal words.
 */
const unrelatedSimilarity = 0.6;

/** The likeness of two words, from 0 to 1: their Jaro-Winkler similarity above `unrelatedSimilarity`. */
const likenessOf = (left: string, right: string) =>
  Math.max(0, (jaroWinkler(left, right) - unrelatedSimilarity) / (1 - unrelatedSimilarity));

/** The likeness of an initial and a name with this first letter. It is below 1, because an initial may stand for several names. */
const initialLikeness = 0.8;

/** The weight of a word that only one of the two names has. It is low, because people often leave out some of their names. */
const missingWeight = 0.15;

/**
 * A name of one word counts as two words if it is compared with a longer name. Many people share one first name, so an equal first name
 * alone must not give a high likeness.
 */
const wordsMin = 2;

/**
 * Likeness of two names of persons, from 0 to 1. The order of the two names does not matter. Letter case, accents, particles (such as `da`
 * and `de`) and the order of words do not count. An initial counts partly. Undefined if one of the names has no letters.
 */
export function nameLikeness(left: string, right: string): number | undefined {
  const [a, b] = [sortedNames(left), sortedNames(right)];
  const [shorterCount, longerCount] = [Math.min(a.length, b.length), Math.max(a.length, b.length)];
  if (shorterCount === 0) return undefined;
  const expectedCount = Math.min(longerCount, Math.max(shorterCount, wordsMin));
  return round(sumBestPairs(a, b) / (expectedCount + missingWeight * (longerCount - expectedCount)));
}

/**
 * The words of a name, sorted. After sorting, the order of the words in the name has no effect, even if several pairs of words are equally
 * similar.
 */
const sortedNames = (name: string) => namesWithoutParticles(name).toSorted();

/** The sum of the likenesses of the most similar pairs of words. Each word is in one pair at most. */
function sumBestPairs(left: readonly string[], right: readonly string[]): number {
  const pairs = left.flatMap((a, row) => right.map((b, column) => ({ row, column, likeness: wordLikeness(a, b) })));
  const [rows, columns] = [new Set<number>(), new Set<number>()];
  let sum = 0;
  for (const { row, column, likeness } of pairs.toSorted((a, b) => b.likeness - a.likeness)) {
    if (rows.has(row) || columns.has(column)) continue;
    rows.add(row);
    columns.add(column);
    sum += likeness;
  }
  return sum;
}

function wordLikeness(left: string, right: string): number {
  if (left === right) return 1;
  if (left.length === 1 || right.length === 1) return left[0] === right[0] ? initialLikeness : 0;
  return likenessOf(left, right);
}

const round = (likeness: number) => Math.round(likeness * 100) / 100;

/** The weight of a mailbox that has only one of the person's names, such as `maria`. Such a mailbox identifies the person less. */
const oneNameWeight = 0.9;

/**
 * The usual ways to make a mailbox from a name, each as a list of words (`form`). The likeness of mailbox and form is multiplied by
 * `weight`.
 */
function formsOf(names: string[]): { form: string[]; weight: number }[] {
  const [first = '', last = ''] = [names[0], names.at(-1)];
  if (names.length < 2) return [{ form: names, weight: 1 }];
  const middle = names.slice(1, -1);
  return [
    { form: names, weight: 1 },
    { form: [first, last], weight: 1 },
    { form: [first.slice(0, 1), last], weight: 1 },
    { form: [first, last.slice(0, 1)], weight: 1 },
    { form: [first, ...middle.map((name) => name.slice(0, 1)), last], weight: 1 },
    ...middle.map((name) => ({ form: [first, name], weight: 1 })),
    { form: [first], weight: oneNameWeight },
    { form: [last], weight: oneNameWeight },
  ];
}

/** Joins the words of a form to one word. If there are two words, returns both orders. */
function joinWords(form: string[]): string[] {
  const text = form.join('');
  return form.length === 2 ? [text, form.toReversed().join('')] : [text];
}

/**
 * How much a mailbox resembles a name, from 0 to 1. Accents, digits, punctuation, the part after a plus sign and the order of words
 * do not count. Undefined if the mailbox or the name has no letters.
 */
export function mailboxResemblance(mailbox: string, name: string): number | undefined {
  const mailboxWords = wordsOf(mailbox.split('+')[0] ?? '');
  const names = namesWithoutParticles(name);
  if (mailboxWords.length === 0 || names.length === 0) return undefined;
  const sortAndJoin = (list: string[]) => list.toSorted().join(' ');
  const likenesses = formsOf(names).map(({ form, weight }) => {
    const joinedLikeness = Math.max(...joinWords(form).map((text) => likenessOf(mailboxWords.join(''), text)));
    const separateLikeness = mailboxWords.length > 1 ? likenessOf(sortAndJoin(mailboxWords), sortAndJoin(form)) : 0;
    return weight * Math.max(joinedLikeness, separateLikeness);
  });
  return round(Math.max(...likenesses));
}
