import { hasRightCheckDigits, kindOf } from '../../../domain/check-digits';
import type { Evidence } from '../../../domain/scoring/evidence';
import type { TransactionInput } from '../../../domain/transaction';
import { statesOfFiscalRegion } from '../tables/fiscal-regions';

/** Of a document that says nothing: no rule fires on it. */
export const unknownDocument: Evidence['document'] = {
  kind: 'unknown',
  checkDigits: 'right',
  repeated: false,
  alphanumeric: false,
};

function findCpf(document: string): Evidence['document'] {
  const right = hasRightCheckDigits('CPF', document);
  const states = right ? statesOfFiscalRegion[Number(document[8])] : undefined;
  return {
    kind: 'CPF',
    checkDigits: right ? 'right' : 'wrong',
    repeated: /^(\d)\1+$/.test(document),
    alphanumeric: false,
    ...(states ? { states: [...states] } : {}),
  };
}

function findCnpj(document: string): Evidence['document'] {
  return {
    kind: 'CNPJ',
    checkDigits: hasRightCheckDigits('CNPJ', document) ? 'right' : 'wrong',
    repeated: /^(\d)\1+$/.test(document),
    alphanumeric: /[A-Z]/.test(document),
  };
}

/** What a CPF or CNPJ tells by itself, with or without its dots and hyphens. */
export function findDocument({ documentType, document }: TransactionInput): Evidence['document'] {
  const plain = unmasked(document);
  const kind = kindOf(documentType);
  if (kind === 'CPF') return findCpf(plain);
  return kind === 'CNPJ' ? findCnpj(plain) : unknownDocument;
}

/** A document in upper case without its dots, hyphens, slashes and spaces. */
export function unmasked(document: string): string {
  return document.toUpperCase().replace(/[\s./-]/g, '');
}

/** Whether the transaction is of a company: it has no mother, no age and no name made of names. */
export function isCompany({ documentType }: Pick<TransactionInput, 'documentType'>): boolean {
  return kindOf(documentType) === 'CNPJ';
}
