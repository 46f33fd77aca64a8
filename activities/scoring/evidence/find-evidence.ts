import type { Evidence } from '../../../domain/analysis';
import type { TransactionInput } from '../../../domain/transaction';
import { findDocument, unknownDocument } from './document';
import { findEmail } from './email';
import { findPhone } from './phone';
import { findPostalCode } from './postal-code';

/** All evidence on a transaction. A finder that fails finds nothing; `onFault` hears which one it was. */
export function findEvidence(input: TransactionInput, onFault: (finder: string) => void): Evidence {
  const attempt = <Found>(finder: string, find: (input: TransactionInput) => Found): Found | undefined => {
    try {
      return find(input);
    } catch {
      onFault(finder);
      return undefined;
    }
  };
  const phone = attempt('phone', findPhone);
  const postalCode = attempt('postal-code', findPostalCode);
  const email = attempt('email', findEmail);
  return {
    document: attempt('document', findDocument) ?? unknownDocument,
    ...(phone ? { phone } : {}),
    ...(postalCode ? { postalCode } : {}),
    ...(email ? { email } : {}),
  };
}
