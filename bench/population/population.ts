import type { InitialTransaction } from '../../domain/state';
import type { TransactionInput } from '../../domain/transaction';
import { personOf, visitOf } from './person';
import { hotPlace } from './places';
import { type Random, randomOf } from './random';

export interface Population {
  seed: number;
  /** Number of transactions. The distributions are the same for every size. */
  size: number;
}

/** The kind of person. `hot`: with a phone that 0.5 % of all use, from a postal code that 1 % of all use. */
export type Kind = 'newcomer' | 'returning' | 'ring' | 'hot';

export interface Visit {
  kind: Kind;
  transaction: InitialTransaction;
  /** What is known about the person afterwards. */
  facts: { phone: boolean; email: boolean; denied: boolean };
}

export const tenant = 'local';
const startsAtMs = Date.parse('2025-01-01T00:00:00.000Z');
const dayMs = 86_400_000;
/** The transactions of a population are spread over this many days. */
export const days = 365;

const ringShare = 0.02;
const ringVisits = 40;
const ringMembers = 25;
/** 5,000 of a million. */
const hotShare = 0.005;

// Residents are chosen from blocks of a fixed size, so the number of visits per person does not depend on the population size.
const blockSize = 1_000;
const visitsPerResident = 2;

// Ranges of person numbers, one per kind. They do not overlap.
const ringNumbers = 30_000_000;
const newcomerNumbers = 40_000_000;
const hotNumber = 49_999_999;

function residentOf({ seed, size }: Population, random: Random) {
  const residents = Math.max(1, Math.round(size / visitsPerResident));
  const block = random.int(Math.ceil(residents / blockSize));
  return personOf(seed, (block * blockSize + random.rank(blockSize, 0.8)) % residents);
}

/** A ring has many documents, but one phone, one mailbox, one device and few sessions. */
function ringVisit({ seed, size }: Population, random: Random, day: number): TransactionInput {
  const ring = random.int(Math.max(1, Math.round((size * ringShare) / ringVisits)));
  const numberOf = (member: number) => ringNumbers + ring * ringMembers + member;
  const { phones, emails, devices } = personOf(seed, numberOf(0));
  const contacts = {
    phone: phones[0],
    email: emails[0],
    identifierId: devices[0],
    sessionId: `ring-${ring}-${random.int(5)}`,
  };
  return {
    ...visitOf(personOf(seed, numberOf(random.int(ringMembers))), random, day),
    ...contacts,
  } as TransactionInput;
}

function hotVisit(population: Population, random: Random, day: number): TransactionInput {
  const { zipCode, state } = hotPlace;
  const [phone] = personOf(population.seed, hotNumber).phones;
  const visit = visitOf(residentOf(population, random), random, day);
  return { ...visit, ...(phone && { phone }), address: { zipCode, state, country: 'Brasil' } };
}

/** One visit. `nth` is the number of a newcomer. `day` is the time since the start of the population, with a fraction. */
export function visitBy(kind: Kind, population: Population, random: Random, day: number, nth: number): Visit {
  const inputs: Record<Kind, () => TransactionInput> = {
    newcomer: () => visitOf(personOf(population.seed, newcomerNumbers + nth), random, day),
    returning: () => visitOf(residentOf(population, random), random, day),
    ring: () => ringVisit(population, random, day),
    hot: () => hotVisit(population, random, day),
  };
  const atMs = Math.floor(startsAtMs + day * dayMs);
  const input = inputs[kind]();
  return {
    kind,
    transaction: { tenant, id: idAt(atMs, random), input, createdAt: new Date(atMs).toISOString() },
    facts: {
      phone: random.chance(0.3),
      email: random.chance(0.1),
      denied: random.chance(kind === 'ring' ? 0.2 : 0.01),
    },
  };
}

/** All visits of a population in order, generated one at a time. */
export function* visitsOf(population: Population): Generator<Visit> {
  for (let nth = 0; nth < population.size; nth += 1) {
    const random = randomOf(population.seed, 'visit', nth);
    const draw = random.next();
    const kind = draw < ringShare ? 'ring' : draw < ringShare + hotShare ? 'hot' : 'returning';
    yield visitBy(kind, population, random, ((nth + random.next()) / population.size) * days, nth);
  }
}

/** An id as the API creates it, sortable by time (RFC 9562, version 7). */
function idAt(ms: number, random: Random): string {
  const hex = (digits: number) =>
    random
      .int(16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`;
}
