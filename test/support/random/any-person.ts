import { type Arbitrary, array, boolean, constant, constantFrom, integer, oneof, record } from 'fast-check';
import type { Fate, NoticeFate } from '../fake-activities';

const deeds = ['ignores', 'agrees', 'objects', 'errs', 'errsAlways', 'asksAgain', 'erases'] as const;

/** What somebody does with what is asked, whatever it is. */
export interface Deed {
  does: (typeof deeds)[number];
  /** Which part of the time that is left passes before. */
  after: number;
}

/** A person, the providers that reach them, and their caller. Lists begin anew at their end. */
export interface Person {
  deeds: readonly Deed[];
  fates: readonly Fate[];
  notices: readonly NoticeFate[];
  score: number;
  plan: string;
  hasPhone: boolean;
  hasEmail: boolean;
}

const mostly = <T>(usual: T, ...others: T[]): Arbitrary<T> =>
  oneof({ weight: 5, arbitrary: constant(usual) }, { weight: 2, arbitrary: constantFrom(...others) });
const several = <T>(one: Arbitrary<T>) => array(one, { minLength: 1, maxLength: 6 });

export const anyPerson: Arbitrary<Person> = record({
  deeds: several(
    record({
      does: constantFrom(...deeds, 'agrees', 'asksAgain'),
      after: oneof(
        constantFrom(0, 0.97),
        integer({ min: 0, max: 100 }).map((percent) => percent / 100),
      ),
    }),
  ),
  fates: several(mostly<Fate>('accept', 'outage', 'DestinationRefused')),
  notices: several(mostly<NoticeFate>('take', 'away', 'Refused')),
  score: integer({ min: 0, max: 100 }),
  plan: constantFrom('gold', 'plain'),
  hasPhone: oneof({ weight: 9, arbitrary: constant(true) }, boolean()),
  hasEmail: oneof({ weight: 9, arbitrary: constant(true) }, boolean()),
});
