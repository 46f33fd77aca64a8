import { jaroWinkler } from './jaro-winkler';
import { namesWithoutParticles, wordsOf } from './person-names';

/** The weight of a mailbox that has only one of the person's names, such as `maria`. Such a mailbox identifies the person less. */
const oneNameWeight = 0.9;

/**
 * Unrelated words have about this similarity. Up to this similarity, the likeness is 0. For a higher similarity, the likeness grows, up to
 * 1 for equal words.
 */
const unrelatedSimilarity = 0.6;

const likenessOf = (left: string, right: string) =>
  Math.max(0, (jaroWinkler(left, right) - unrelatedSimilarity) / (1 - unrelatedSimilarity));

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
  return Math.round(Math.max(...likenesses) * 100) / 100;
}
