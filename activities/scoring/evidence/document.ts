import { hasRightCheckDigits, isRepeatedDigit, normalizeDocumentType } from '../../../domain/transaction/document';
import type { Evidence } from '../../../domain/scoring/evidence';
import type { TransactionInput } from '../../../domain/transaction/transaction';

/** States of each fiscal region. The ninth digit of a CPF is the region in which it was issued. */
const statesOfFiscalRegion: readonly (readonly string[])[] = [
  ['RS'],
  ['DF', 'GO', 'MS', 'MT', 'TO'],
  ['AC', 'AM', 'AP', 'PA', 'RO', 'RR'],
  ['CE', 'MA', 'PI'],
  ['AL', 'PB', 'PE', 'RN'],
  ['BA', 'SE'],
  ['MG'],
  ['ES', 'RJ'],
  ['SP'],
  ['PR', 'SC'],
];

/** The evidence for a document of an unknown kind. No rule about digits or letters holds for such a document. */
export const unknownDocument: Evidence['document'] = {
  kind: 'unknown',
  checkDigits: 'right',
  repeated: false,
  alphanumeric: false,
};

function cpfEvidence(document: string): Evidence['document'] {
  const hasRightDigits = hasRightCheckDigits('CPF', document);
  const states = hasRightDigits ? statesOfFiscalRegion[Number(document[8])] : undefined;
  return {
    kind: 'CPF',
    checkDigits: hasRightDigits ? 'right' : 'wrong',
    repeated: isRepeatedDigit(document),
    alphanumeric: false,
    ...(states ? { states: [...states] } : {}),
  };
}

function cnpjEvidence(document: string): Evidence['document'] {
  return {
    kind: 'CNPJ',
    checkDigits: hasRightCheckDigits('CNPJ', document) ? 'right' : 'wrong',
    repeated: isRepeatedDigit(document),
    alphanumeric: /[A-Z]/.test(document),
  };
}

/** Evidence from a CPF or CNPJ itself, with or without punctuation. */
export function documentEvidence({ documentType, document }: TransactionInput): Evidence['document'] {
  const documentNumber = normalizeDocument(document);
  const kind = normalizeDocumentType(documentType);
  if (kind === 'CPF') return cpfEvidence(documentNumber);
  return kind === 'CNPJ' ? cnpjEvidence(documentNumber) : unknownDocument;
}

/** Converts a document to upper case, without dots, hyphens, slashes and spaces. */
export function normalizeDocument(document: string): string {
  return document.toUpperCase().replace(/[\s./-]/g, '');
}

/** Whether the transaction is of a company, which has no mother, no age and no personal name. */
export function isCompany({ documentType }: Pick<TransactionInput, 'documentType'>): boolean {
  return normalizeDocumentType(documentType) === 'CNPJ';
}
