import { jaroWinkler } from './jaro-winkler';
import { personNames, wordsOf } from './person-names';

/** A mailbox that shows one of several names shows less of the person. */
const oneNameWeight = 0.9;

/** Words that have nothing to do with each other come out at about this; likeness begins above it. */
const chance = 0.6;

const likenessOf = (left: string, right: string) => Math.max(0, (jaroWinkler(left, right) - chance) / (1 - chance));

/** The ways in which people make a mailbox of their name, as lists of words, with how much each shows. */
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

/** Every order in which a form's words may be written together; longer forms keep the order of the name. */
function written(form: string[]): string[] {
  const joined = form.join('');
  return form.length === 2 ? [joined, form.toReversed().join('')] : [joined];
}

/**
 * How much a mailbox looks like a name, from 0 to 1. Accents, digits, marks and the part after a plus sign do not
 * count, and neither does the order of words. Undefined when either has no letters.
 */
export function resemblance(mailbox: string, name: string): number | undefined {
  const box = wordsOf(mailbox.split('+')[0] ?? '');
  const names = personNames(name);
  if (box.length === 0 || names.length === 0) return undefined;
  const sorted = (list: string[]) => list.toSorted().join(' ');
  const likeness = formsOf(names).map(({ form, weight }) => {
    const together = Math.max(...written(form).map((text) => likenessOf(box.join(''), text)));
    const apart = box.length > 1 ? likenessOf(sorted(box), sorted(form)) : 0;
    return weight * Math.max(together, apart);
  });
  return Math.round(Math.max(...likeness) * 100) / 100;
}
