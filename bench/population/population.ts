import type { InitialTransaction } from '../../domain/transactions/state';
import type { TransactionInput } from '../../domain/transactions/input';
import { createPerson, createTransactionInput } from './person';
import { hotPlace } from './places';
import { type Random, createRandom } from './random';

/** A generated set of transactions for a bench. The same seed and size always give the same transactions. */
export interface Population {
  seed: number;
  /** Number of transactions. The distributions are the same for every size. */
  size: number;
}

/**
 * The kind of person. `newcomer`: a person without earlier transactions. `returning`: a person who may have earlier transactions. `ring`: a
 * member of a group that shares one phone, mailbox and device. `hot`: a person with a phone that 0.5 % of all transactions use, and with a
 * postal code that 1 % of all transactions use.
 */
export type PersonKind = 'newcomer' | 'returning' | 'ring' | 'hot';

/** A generated transaction, with the kind of its person and what the person does later. */
export interface PopulationTransaction {
  kind: PersonKind;
  transaction: InitialTransaction;
  /** What the person does later: confirms the phone, confirms the mailbox, or denies the transaction. */
  facts: { phone: boolean; email: boolean; denied: boolean };
}

export const populationTenant = 'local';
const startMs = Date.parse('2025-01-01T00:00:00.000Z');
const dayMs = 86_400_000;
/** The transactions of a population are spread over this many days. */
export const populationDays = 365;

/** The share of all transactions that come from ring members. */
const ringShare = 0.02;
const transactionsPerRing = 40;
const membersPerRing = 25;
/** The share of all transactions that come from persons of the kind `hot`: 5,000 of a million. */
const hotShare = 0.005;

// Persons have numbers, and 1,000 numbers are a block. To choose a returning person, first a block is drawn, and then a person of this
// block. The first persons of a block are drawn most often. If all persons were one block, the most frequent person would have more
// transactions in a larger population.
const blockSize = 1_000;
/** Mean number of transactions of a returning person. */
const transactionsPerReturningPerson = 2;

// Numbers of persons: the first ring member, the first newcomer, and the person with the hot phone. Returning persons have lower numbers.
const firstRingNumber = 30_000_000;
const firstNewcomerNumber = 40_000_000;
const hotNumber = 49_999_999;

/** Draws a person who may have earlier transactions. */
function drawReturningPerson({ seed, size }: Population, random: Random) {
  const persons = Math.max(1, Math.round(size / transactionsPerReturningPerson));
  const block = random.int(Math.ceil(persons / blockSize));
  return createPerson(seed, (block * blockSize + random.skewedIndex(blockSize, 0.8)) % persons);
}

/** The input of a ring member. A ring has many documents, but one phone, one mailbox, one device and five sessions. */
function createRingInput({ seed, size }: Population, random: Random, day: number): TransactionInput {
  const ring = random.int(Math.max(1, Math.round((size * ringShare) / transactionsPerRing)));
  const numberOf = (member: number) => firstRingNumber + ring * membersPerRing + member;
  const { phones, emails, devices } = createPerson(seed, numberOf(0));
  const contacts = {
    phone: phones[0],
    email: emails[0],
    identifierId: devices[0],
    sessionId: `ring-${ring}-${random.int(5)}`,
  };
  return {
    ...createTransactionInput(createPerson(seed, numberOf(random.int(membersPerRing))), random, day),
    ...contacts,
  } as TransactionInput;
}

/** The input of a returning person, with the hot phone and the address `hotPlace`. */
function createHotInput(population: Population, random: Random, day: number): TransactionInput {
  const { zipCode, state } = hotPlace;
  const [phone] = createPerson(population.seed, hotNumber).phones;
  const input = createTransactionInput(drawReturningPerson(population, random), random, day);
  return { ...input, ...(phone && { phone }), address: { zipCode, state, country: 'Brasil' } };
}

/**
 * Creates one transaction. `day`: days since the start of the population, with a fraction. `newcomerNumber`: the number of the person if
 * the kind is `newcomer`; other kinds ignore it.
 */
export function createPopulationTransaction(
  kind: PersonKind,
  population: Population,
  random: Random,
  day: number,
  newcomerNumber: number,
): PopulationTransaction {
  const inputs: Record<PersonKind, () => TransactionInput> = {
    newcomer: () =>
      createTransactionInput(createPerson(population.seed, firstNewcomerNumber + newcomerNumber), random, day),
    returning: () => createTransactionInput(drawReturningPerson(population, random), random, day),
    ring: () => createRingInput(population, random, day),
    hot: () => createHotInput(population, random, day),
  };
  const createdAtMs = Math.floor(startMs + day * dayMs);
  const input = inputs[kind]();
  return {
    kind,
    transaction: {
      tenant: populationTenant,
      id: createUuidV7(createdAtMs, random),
      input,
      createdAt: new Date(createdAtMs).toISOString(),
    },
    facts: {
      phone: random.chance(0.3),
      email: random.chance(0.1),
      denied: random.chance(kind === 'ring' ? 0.2 : 0.01),
    },
  };
}

/** All transactions of a population in order, generated one at a time. */
export function* generateTransactions(population: Population): Generator<PopulationTransaction> {
  for (let index = 0; index < population.size; index += 1) {
    const random = createRandom(population.seed, 'visit', index);
    const draw = random.next();
    const kind = draw < ringShare ? 'ring' : draw < ringShare + hotShare ? 'hot' : 'returning';
    yield createPopulationTransaction(
      kind,
      population,
      random,
      ((index + random.next()) / population.size) * populationDays,
      index,
    );
  }
}

/** The id of a transaction, in the same format as from the API: a UUID of version 7 (RFC 9562), which starts with the time. */
function createUuidV7(ms: number, random: Random): string {
  const hex = (digits: number) =>
    random
      .int(16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`;
}
