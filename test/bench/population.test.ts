import { transactionBody } from '../../api/transactions/transaction-body';
import { generateLaterTransactions } from '../../bench/population/later-transactions';
import { type Population, type PopulationTransaction, generateTransactions } from '../../bench/population/population';
import { createRandom } from '../../bench/population/random';
import { toE164 } from '../../domain/transactions/input';

const smallPopulation: Population = { seed: 1, size: 20_000 };
const largePopulation: Population = { seed: 1, size: 1_000_000 };

function take<Item>(count: number, generator: Generator<Item>): Item[] {
  const sample: Item[] = [];
  for (const item of generator) if (sample.push(item) === count) break;
  return sample;
}

function countBy(
  transactions: readonly PopulationTransaction[],
  valueOf: (item: PopulationTransaction) => string | undefined,
): number[] {
  const counts = new Map<string, number>();
  for (const item of transactions) {
    const value = valueOf(item);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts.values()].toSorted((left, right) => right - left);
}

const documentOf = ({ transaction }: PopulationTransaction) => transaction.input.document;
const phoneOf = ({ transaction: { input } }: PopulationTransaction) => input.phone && toE164(input.phone);
const zipCodeOf = ({ transaction }: PopulationTransaction) => transaction.input.address?.zipCode;

describe('a population', () => {
  const allTransactions = [...generateTransactions(smallPopulation)];

  it('a population is the same for the same seed, and differs for another seed', () => {
    expect(take(500, generateTransactions(smallPopulation))).toEqual(allTransactions.slice(0, 500));
    expect(documentsOf({ ...smallPopulation, seed: 2 })).not.toEqual(documentsOf(smallPopulation));
    expect(take(50, generateLaterTransactions(smallPopulation))).toEqual(
      take(50, generateLaterTransactions(smallPopulation)),
    );
  });

  it('every transaction of a population has a body that the API accepts', () => {
    const body = transactionBody(true);
    for (const { transaction } of [
      ...allTransactions.slice(0, 500),
      ...take(200, generateLaterTransactions(largePopulation)),
    ])
      expect(body.safeParse(transaction.input).error).toBeUndefined();
  });

  it('each transaction of a population has its own id, and the transactions are in the order of their times, over 365 days', () => {
    const times = allTransactions.map(({ transaction }) => Date.parse(transaction.createdAt));
    expect(new Set(allTransactions.map(({ transaction }) => transaction.id)).size).toBe(smallPopulation.size);
    expect(times).toEqual(times.toSorted((left, right) => left - right));
    expect(((times.at(-1) ?? 0) - (times[0] ?? 0)) / 86_400_000).toBeCloseTo(365, 0);
  });

  it('in a population, few persons create many transactions, and most persons create one or two', () => {
    const transactionCounts = countBy(allTransactions, documentOf);
    expect(transactionCounts[0]).toBeGreaterThan(60);
    expect(transactionCounts.filter((times) => times <= 2).length / transactionCounts.length).toBeGreaterThan(0.6);
    const names = countBy(allTransactions, ({ transaction }) => transaction.input.name);
    expect((names[0] ?? 0) / smallPopulation.size).toBeGreaterThan(0.002);
  });

  it('a population has a frequent phone, a frequent postal code, and rings: groups of persons that share a phone', () => {
    const hotPhones = countBy(
      allTransactions.filter(({ kind }) => kind === 'hot'),
      phoneOf,
    );
    expect(hotPhones).toHaveLength(1);
    // 30 and 42 are three standard deviations of the expected number.
    expect(Math.abs((hotPhones[0] ?? 0) - 0.005 * smallPopulation.size)).toBeLessThan(30);
    expect(Math.abs((countBy(allTransactions, zipCodeOf)[0] ?? 0) - 0.01 * smallPopulation.size)).toBeLessThan(42);
    const ringPhones = countBy(
      allTransactions.filter(({ kind }) => kind === 'ring'),
      phoneOf,
    );
    expect(ringPhones).toHaveLength(10);
    expect(ringPhones.at(-1)).toBeGreaterThan(15);
  });

  it('each kind of person has the same share of the transactions in a small population and at the beginning of a huge one', () => {
    const share = (transactions: readonly PopulationTransaction[], kind: string) =>
      transactions.filter((item) => item.kind === kind).length / transactions.length;
    // The generator creates only the transactions that are taken, so this is fast.
    const hugeSample = take(20_000, generateTransactions({ seed: 1, size: 1e9 }));
    for (const kind of ['ring', 'hot', 'returning']) expect(share(hugeSample, kind)).toBe(share(allTransactions, kind));
    const kindsOf = (population: Population) => take(40, generateLaterTransactions(population)).map(({ kind }) => kind);
    expect(kindsOf(largePopulation)).toEqual(kindsOf(smallPopulation));
  });
});

const documentsOf = (population: Population) => take(20, generateTransactions(population)).map(documentOf);

it('random ranks are within bounds, and low ranks are the most frequent', () => {
  const random = createRandom('ranks');
  const ranks = Array.from({ length: 5_000 }, () => random.skewedIndex(100, 0.8));
  expect(Math.min(...ranks)).toBe(0);
  expect(Math.max(...ranks)).toBe(99);
  const countBelow = (bound: number) => ranks.filter((rank) => rank < bound).length;
  expect(countBelow(10)).toBeGreaterThan(2 * (countBelow(60) - countBelow(50)));
});
