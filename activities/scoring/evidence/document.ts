import type { Evidence } from '../../../domain/analysis';
import type { TransactionInput } from '../../../domain/transaction';
import { statesOfFiscalRegion } from '../tables/fiscal-regions';

/** Of a document that says nothing: no rule fires on it. */
export const unknownDocument: Evidence['document'] = {
  kind: 'unknown',
  checkDigits: 'right',
  repeated: false,
  alphanumeric: false,
};

/** Letters count by their place in ASCII, less 48, as digits do (IN RFB 2.229/2024): A is 17. */
const valueOf = (character: string) => character.charCodeAt(0) - 48;

/** Check digit modulo 11 over weights that grow from the right, beginning anew with 2 after the greatest. */
function checkDigit(characters: string, greatestWeight: number): number {
  const weights = greatestWeight - 1;
  const sum = Array.from(characters)
    .toReversed()
    .reduce((total, character, index) => total + valueOf(character) * (2 + (index % weights)), 0);
  return sum % 11 < 2 ? 0 : 11 - (sum % 11);
}

function checks(document: string, shape: RegExp, greatestWeight: number): boolean {
  if (!shape.test(document)) return false;
  const base = document.slice(0, -2);
  const first = checkDigit(base, greatestWeight);
  return document.endsWith(`${first}${checkDigit(`${base}${first}`, greatestWeight)}`);
}

function findCpf(document: string): Evidence['document'] {
  const right = checks(document, /^\d{11}$/, 11);
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
    checkDigits: checks(document, /^[\dA-Z]{12}\d{2}$/, 9) ? 'right' : 'wrong',
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
