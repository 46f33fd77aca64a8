import type { BureauFinding } from '../../domain/scoring/evidence';
import type { TransactionInput } from '../../domain/transaction';

/** The part of a transaction that leaves the house. */
export type BureauPerson = Pick<
  TransactionInput,
  'documentType' | 'document' | 'name' | 'birthdate' | 'mothersName' | 'email' | 'phone' | 'address'
>;

/** A source of findings outside: person in, coded findings out. */
export interface Bureau {
  /** Undefined when it did not answer in time or not in the agreed form. Fails only when the activity is cancelled: a transaction does not wait for it. */
  findings(person: BureauPerson): Promise<BureauFinding[] | undefined>;
}
