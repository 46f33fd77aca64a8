import type { Evidence } from '../../../domain/scoring/evidence';
import type { TransactionInput } from '../../../domain/transaction/transaction';
import { findAge } from './birth-date';
import { findCard } from './card';
import { documentEvidence, unknownDocument } from './document';
import { findEmail } from './email';
import { motherEvidence, nameEvidence } from './names';
import { findPhone } from './phone';
import { findPostalCode } from './postal-code';

/** The evidence that needs only the input of a transaction, and no other source. */
export type InputEvidence = Pick<
  Evidence,
  'document' | 'phone' | 'postalCode' | 'email' | 'name' | 'mother' | 'age' | 'card'
>;

type Finder = (input: TransactionInput, createdAt: string) => unknown;

/** The function that finds each field of the evidence. It returns undefined if there is nothing to find. */
const finders: Record<keyof InputEvidence, Finder> = {
  document: documentEvidence,
  phone: findPhone,
  postalCode: findPostalCode,
  email: findEmail,
  name: nameEvidence,
  mother: motherEvidence,
  age: findAge,
  card: findCard,
};

/** Finds evidence in the input of a transaction. A finder that fails finds nothing; `onFailure` gets its name. */
export function findEvidence(
  { input, createdAt }: { input: TransactionInput; createdAt: string },
  onFailure: (finder: string) => void,
): InputEvidence {
  const runFinder = (field: string, find: Finder): unknown => {
    try {
      return find(input, createdAt);
    } catch {
      onFailure(field);
      return undefined;
    }
  };
  const found = Object.entries(finders)
    .map(([field, find]) => [field, runFinder(field, find)] as const)
    .filter(([, value]) => value !== undefined);
  // If the finder of the document failed, the document counts as unknown.
  return { document: unknownDocument, ...(Object.fromEntries(found) as Partial<InputEvidence>) };
}
