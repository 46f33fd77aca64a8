import { days, type Kind, type Population, type Visit, visitBy } from './population';
import { randomOf } from './random';

/** Eight newcomers, six returning persons, three ring members and three with hot values, of every twenty. */
const turns: readonly Kind[] = [
  ...([
    'newcomer',
    'returning',
    'newcomer',
    'ring',
    'returning',
    'newcomer',
    'hot',
    'returning',
    'newcomer',
    'returning',
  ] as const),
  ...([
    'newcomer',
    'ring',
    'newcomer',
    'returning',
    'hot',
    'newcomer',
    'ring',
    'returning',
    'newcomer',
    'hot',
  ] as const),
];

/** Endless visits after those of a population, a minute apart. Kinds and order are the same for every size. */
export function* laterVisits(population: Population): Generator<Visit> {
  for (let nth = 0; ; nth += 1) {
    const random = randomOf(population.seed, 'later', nth);
    const kind = turns[nth % turns.length] ?? 'newcomer';
    yield visitBy(kind, population, random, days + nth / 1_440, nth);
  }
}
