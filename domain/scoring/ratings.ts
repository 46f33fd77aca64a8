import type { Rating, DataKind } from './results';
import type { TransactionInput } from '../transactions/input';
import type { Evidence, PairLink } from './evidence';
import type { ScoreBasis } from './score';

/** The kinds of data that ratings compare. */
type RatedKind = 'Document' | 'ZipCode' | 'Email' | 'Phone';
type Pair = readonly [RatedKind, RatedKind];

/** The pairs that get a rating, in the order of the response. */
export const ratedPairs: readonly Pair[] = [
  ['Document', 'ZipCode'],
  ['Document', 'Email'],
  ['Document', 'Phone'],
  ['ZipCode', 'Email'],
  ['ZipCode', 'Phone'],
  ['Email', 'Phone'],
];

/** From this similarity on, name and mailbox probably belong together. */
const likelyMatchMin = 0.65;

/** A pair is strong if both values occur together on at least this many other dates. */
const strongDatesMin = 2;

/** Whether the caller supplied a value of this kind. */
const isSupplied: Record<RatedKind, (input: TransactionInput) => boolean> = {
  Document: () => true,
  ZipCode: ({ address }) => address?.zipCode !== undefined,
  Email: ({ email }) => email !== undefined,
  Phone: ({ phone }) => phone !== undefined,
};

/** Whether the value of this kind is valid. */
const isValid: Record<RatedKind, (evidence: Evidence) => boolean> = {
  Document: ({ document }) => document.kind !== 'unknown' && document.checkDigits === 'right' && !document.repeated,
  ZipCode: ({ postalCode }) => postalCode?.state !== undefined,
  Email: ({ email }) => email !== undefined && email.syntax !== 'invalid' && email.mailServer !== 'none',
  Phone: ({ phone }) => phone?.allocated === true,
};

const isPair = (pair: Pair, left: RatedKind, right: RatedKind) => pair[0] === left && pair[1] === right;

/** Whether two values belong to the same Brazilian state. Undefined if the state of a value is not known. */
function sameState({ document, phone, postalCode }: Evidence, pair: Pair): boolean | undefined {
  const statesOf: Record<RatedKind, readonly string[] | undefined> = {
    Document: document.states,
    ZipCode: postalCode?.state === undefined ? undefined : [postalCode.state],
    Phone: phone?.state === undefined ? undefined : [phone.state],
    Email: undefined,
  };
  const [left, right] = [statesOf[pair[0]], statesOf[pair[1]]];
  return left && right && left.some((state) => right.includes(state));
}

function isShared({ evidence, policy }: ScoreBasis, kind: RatedKind): boolean {
  if (kind !== 'Phone' && kind !== 'Email') return false;
  return (evidence.links?.countsByKind[kind]?.documents ?? 0) >= policy.thresholds.sharedByDocuments;
}

/**
 * Whether evidence contradicts a pair. If many documents share a phone or mailbox, this contradicts the pair of the document and the phone
 * or mailbox, but no other pair. If postal code and phone belong to different states, this contradicts their pair.
 */
function isContradicted(basis: ScoreBasis, pair: Pair): boolean {
  if (pair.includes('Document') && pair.some((kind) => isShared(basis, kind))) return true;
  return isPair(pair, 'ZipCode', 'Phone') && sameState(basis.evidence, pair) === false;
}

function isConfirmed({ phoneConfirmedAt: phone, emailConfirmedAt: email }: ScoreBasis['facts'], pair: Pair): boolean {
  if (isPair(pair, 'Document', 'Phone')) return phone !== undefined;
  if (isPair(pair, 'Document', 'Email')) return email !== undefined;
  return isPair(pair, 'Email', 'Phone') && phone !== undefined && email !== undefined;
}

function linkOf({ links }: Evidence, pair: Pair): PairLink | undefined {
  return links?.pairs.find(({ pair: linked }) => pair.every((kind: DataKind) => linked.some((one) => one === kind)));
}

function isPlausible(evidence: Evidence, pair: Pair): boolean {
  if (sameState(evidence, pair)) return true;
  const { disposable = false, resemblesName = 0 } = evidence.email ?? {};
  return isPair(pair, 'Document', 'Email') && !disposable && resemblesName >= likelyMatchMin;
}

/** The rating of a pair: 0 no data, 1 contradicted, 2 weak, 3 plausible, 4 strong, 5 confirmed. */
function strengthOf(basis: ScoreBasis, pair: Pair): number {
  const { evidence, facts } = basis;
  if (facts.deniedAt && pair.includes('Document')) return 1;
  if (isConfirmed(facts, pair)) return 5;
  if (isContradicted(basis, pair)) return 1;
  const link = linkOf(evidence, pair);
  if (link && (link.dates >= strongDatesMin || link.confirmed > 0)) return 4;
  if (link || isPlausible(evidence, pair)) return 3;
  return pair.every((kind) => isValid[kind](evidence)) ? 2 : 0;
}

/** The rating of each pair whose two values were supplied, in the order of SPEC, the external specification. */
export function ratePairs(input: TransactionInput, basis: ScoreBasis): Pick<Rating, 'value' | 'relatedTo'>[] {
  return ratedPairs
    .filter((pair) => pair.every((kind) => isSupplied[kind](input)))
    .map((pair) => ({ value: strengthOf(basis, pair), relatedTo: [...pair] }));
}
