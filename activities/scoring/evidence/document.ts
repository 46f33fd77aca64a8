import type { Evidence } from '../../../domain/analysis';
import { hasRightCheckDigits } from '../../../domain/check-digits';
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
  const plain = document.toUpperCase().replace(/[\s./-]/g, '');
  const kind = documentType.toUpperCase();
  if (kind === 'CPF') return findCpf(plain);
  return kind === 'CNPJ' ? findCnpj(plain) : unknownDocument;
}
