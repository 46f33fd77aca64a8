import type { Evidence, Variable } from '../analysis';
import type { TransactionState } from '../state';

type Rated = 'Document' | 'ZipCode' | 'Email' | 'Phone';

/** Pairs in the order in which they are told. */
const pairs: readonly [Rated, Rated][] = [
  ['Document', 'ZipCode'],
  ['Document', 'Email'],
  ['Document', 'Phone'],
  ['ZipCode', 'Email'],
  ['ZipCode', 'Phone'],
  ['Email', 'Phone'],
];

function supplied(state: TransactionState, variable: Rated): boolean {
  const { address, email, phone } = state.input;
  if (variable === 'ZipCode') return address?.zipCode !== undefined;
  if (variable === 'Email') return email !== undefined;
  return variable === 'Document' || phone !== undefined;
}

function contradicted(evidence: Evidence, facts: TransactionState['facts'], pair: readonly Rated[]): boolean {
  if (facts.denied) return pair.includes('Document');
  const [phone, postalCode] = [evidence.phone?.state, evidence.postalCode?.state];
  return (
    pair.includes('ZipCode') &&
    pair.includes('Phone') &&
    phone !== undefined &&
    postalCode !== undefined &&
    phone !== postalCode
  );
}

function plausible(evidence: Evidence, pair: readonly Rated[]): boolean {
  const states = evidence.document.states;
  const [phone, postalCode] = [evidence.phone?.state, evidence.postalCode?.state];
  if (pair.includes('ZipCode') && pair.includes('Phone')) return phone !== undefined && phone === postalCode;
  if (pair.includes('Document') && pair.includes('ZipCode'))
    return postalCode !== undefined && states?.includes(postalCode) === true;
  if (pair.includes('Document') && pair.includes('Phone'))
    return phone !== undefined && states?.includes(phone) === true;
  // The lowest similarity that still counts as a likely match of name and mailbox.
  return pair.includes('Document') && (evidence.email?.resemblesName ?? 0) >= 0.65;
}

/** Strength of each supplied pair on the scale of 0 (no data) to 5 (confirmed); what history would tell is not looked at. */
export function ratePairs(
  state: TransactionState,
  evidence: Evidence,
): { value: number; relatedTo: [Variable, Variable] }[] {
  const { facts } = state;
  const confirmedFact = (variable: Rated) =>
    variable === 'Phone' ? facts.phone : variable === 'Email' ? facts.email : undefined;
  return pairs
    .filter((pair) => pair.every((variable) => supplied(state, variable)))
    .map((pair) => {
      const value = contradicted(evidence, facts, pair)
        ? 1
        : pair[0] === 'Document' && confirmedFact(pair[1])
          ? 5
          : plausible(evidence, pair)
            ? 3
            : 2;
      return { value, relatedTo: [...pair] as [Variable, Variable] };
    });
}
