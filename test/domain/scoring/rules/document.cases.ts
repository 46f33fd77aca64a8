import type { Evidence } from '../../../../domain/scoring/evidence';
import type { CaseTable } from './rule-cases';

const document = (change: Partial<Evidence['document']> = {}): Evidence['document'] => ({
  kind: 'CPF',
  checkDigits: 'right',
  repeated: false,
  alphanumeric: false,
  ...change,
});

const contacts = (spread: { phones?: number; emails?: number }) => ({
  links: { pairs: [], spread: { Document: { denials: 0, ...spread } } },
});

const region = document({ states: ['ES', 'RJ'] });

export const documentCases: CaseTable = {
  'DC001.Negativo': {
    positive: [
      [
        { document: document({ checkDigits: 'wrong' }) },
        { strength: 1, details: { kind: 'CPF', checkDigits: 'wrong' } },
      ],
      [
        { document: document({ kind: 'CNPJ', checkDigits: 'wrong' }) },
        { strength: 1, details: { kind: 'CNPJ', checkDigits: 'wrong' } },
      ],
    ],
    negative: [[{ document: document() }, { kind: 'CPF', checkDigits: 'right' }]],
    withoutEvidence: [{ document: document({ kind: 'unknown', checkDigits: 'wrong' }) }, {}],
  },
  'DC002.Negativo': {
    positive: [[{ document: document({ repeated: true }) }, { strength: 1, details: { repeated: true } }]],
    negative: [[{ document: document() }, { repeated: false }]],
    withoutEvidence: [{ document: document({ kind: 'unknown', repeated: true }) }],
  },
  'DC003.Positivo': {
    positive: [
      [
        { document: region, postalCode: { state: 'RJ' } },
        { strength: 1, details: { regionFits: true } },
      ],
    ],
    negative: [[{ document: region, postalCode: { state: 'SP' } }, { regionFits: false }]],
    withoutEvidence: [{ document: region }, { document: region, postalCode: {} }, { postalCode: { state: 'RJ' } }],
  },
  'DC003.Neutro': {
    positive: [
      [
        { document: region, postalCode: { state: 'SP' } },
        { strength: 1, details: { regionFits: false } },
      ],
    ],
    negative: [[{ document: region, postalCode: { state: 'ES' } }, { regionFits: true }]],
    withoutEvidence: [{ document: region }, { document: region, postalCode: {} }, { postalCode: { state: 'RJ' } }],
  },
  'DC004.Neutro': {
    positive: [
      [{ document: document({ kind: 'CNPJ', alphanumeric: true }) }, { strength: 1, details: { alphanumeric: true } }],
    ],
    negative: [[{ document: document({ kind: 'CNPJ' }) }, { alphanumeric: false }]],
    withoutEvidence: [{ document: document({ alphanumeric: true }) }, {}],
  },
  'DC005.Negativo': {
    positive: [
      [contacts({ phones: 4, emails: 1 }), { strength: 1, details: { phones: 4, emails: 1, withinDays: 30 } }],
      [contacts({ phones: 1, emails: 9 }), { strength: 1, details: { phones: 1, emails: 9, withinDays: 30 } }],
      [contacts({ emails: 4 }), { strength: 1, details: { emails: 4, withinDays: 30 } }],
      [
        { ...contacts({ phones: 2 }), thresholds: { contactsOfDocument: 2, sharedWithinDays: 7 } },
        { strength: 1, details: { phones: 2, withinDays: 7 } },
      ],
    ],
    negative: [
      // Phones and addresses are not added up: a normal person may have three of each.
      [contacts({ phones: 3, emails: 3 }), { phones: 3, emails: 3, withinDays: 30 }],
      [contacts({ phones: 1 }), { phones: 1, withinDays: 30 }],
      [contacts({ emails: 1 }), { emails: 1, withinDays: 30 }],
    ],
    withoutEvidence: [{}, { links: { pairs: [], spread: {} } }, contacts({})],
  },
};
