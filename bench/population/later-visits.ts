import { days, type Kind, type Population, type Visit, visitBy } from './population';
import { randomOf } from './random';

/** Of every twenty: eight newcomers, six who come back, three of rings, three with hot values. */
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

/** Endless transactions after those of a population, a minute apart, of the same kinds in the same order at every size. */
export function* laterVisits(population: Population): Generator<Visit> {
  for (let nth = 0; ; nth += 1) {
    const random = randomOf(population.seed, 'later', nth);
    const kind = turns[nth % turns.length] ?? 'newcomer';
    yield visitBy(kind, population, random, days + nth / 1_440, nth);
  }
}
