import {
  populationDays,
  type PersonKind,
  type Population,
  type PopulationTransaction,
  createPopulationTransaction,
} from './population';
import { createRandom } from './random';

/**
 * The kinds of persons in twenty transactions in a row: eight newcomers, six returning persons, three ring members and three persons with
 * hot values.
 */
const kindOrder: readonly PersonKind[] = [
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

/**
 * An endless sequence of transactions, one per minute. They come after the transactions of the population. The order of kinds is the same
 * for every size of the population.
 */
export function* generateLaterTransactions(population: Population): Generator<PopulationTransaction> {
  for (let index = 0; ; index += 1) {
    const random = createRandom(population.seed, 'later', index);
    const kind = kindOrder[index % kindOrder.length] ?? 'newcomer';
    yield createPopulationTransaction(kind, population, random, populationDays + index / 1_440, index);
  }
}
