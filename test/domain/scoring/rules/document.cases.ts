import type { Evidence } from '../../../../domain/scoring/evidence';
import type { CaseTable } from './rule-cases';

const buildDocument = (change: Partial<Evidence['document']> = {}): Evidence['document'] => ({
  kind: 'CPF',
  checkDigits: 'right',
  repeated: false,
  alphanumeric: false,
  ...change,
});

const withContacts = (countsByKind: { phones?: number; emails?: number }) => ({
  links: { pairs: [], countsByKind: { Document: { denials: 0, ...countsByKind } } },
});

const documentOfTwoStates = buildDocument({ states: ['ES', 'RJ'] });

export const documentCases: CaseTable = {
  'DC001.Negativo': {
    holds: [
      [
        { document: buildDocument({ checkDigits: 'wrong' }) },
        { strength: 1, details: { kind: 'CPF', checkDigits: 'wrong' } },
      ],
      [
        { document: buildDocument({ kind: 'CNPJ', checkDigits: 'wrong' }) },
        { strength: 1, details: { kind: 'CNPJ', checkDigits: 'wrong' } },
      ],
    ],
    doesNotHold: [[{ document: buildDocument() }, { kind: 'CPF', checkDigits: 'right' }]],
    withoutEvidence: [{ document: buildDocument({ kind: 'unknown', checkDigits: 'wrong' }) }, {}],
  },
  'DC002.Negativo': {
    holds: [[{ document: buildDocument({ repeated: true }) }, { strength: 1, details: { repeated: true } }]],
    doesNotHold: [[{ document: buildDocument() }, { repeated: false }]],
    withoutEvidence: [{ document: buildDocument({ kind: 'unknown', repeated: true }) }],
  },
  'DC003.Positivo': {
    holds: [
      [
        { document: documentOfTwoStates, postalCode: { state: 'RJ' } },
        { strength: 1, details: { regionFits: true } },
      ],
    ],
    doesNotHold: [[{ document: documentOfTwoStates, postalCode: { state: 'SP' } }, { regionFits: false }]],
    withoutEvidence: [
      { document: documentOfTwoStates },
      { document: documentOfTwoStates, postalCode: {} },
      { postalCode: { state: 'RJ' } },
    ],
  },
  'DC003.Neutro': {
    holds: [
      [
        { document: documentOfTwoStates, postalCode: { state: 'SP' } },
        { strength: 1, details: { regionFits: false } },
      ],
    ],
    doesNotHold: [[{ document: documentOfTwoStates, postalCode: { state: 'ES' } }, { regionFits: true }]],
    withoutEvidence: [
      { document: documentOfTwoStates },
      { document: documentOfTwoStates, postalCode: {} },
      { postalCode: { state: 'RJ' } },
    ],
  },
  'DC004.Neutro': {
    holds: [
      [
        { document: buildDocument({ kind: 'CNPJ', alphanumeric: true }) },
        { strength: 1, details: { alphanumeric: true } },
      ],
    ],
    doesNotHold: [[{ document: buildDocument({ kind: 'CNPJ' }) }, { alphanumeric: false }]],
    withoutEvidence: [{ document: buildDocument({ alphanumeric: true }) }, {}],
  },
  'DC005.Negativo': {
    holds: [
      [withContacts({ phones: 4, emails: 1 }), { strength: 1, details: { phones: 4, emails: 1, withinDays: 30 } }],
      [withContacts({ phones: 1, emails: 9 }), { strength: 1, details: { phones: 1, emails: 9, withinDays: 30 } }],
      [withContacts({ emails: 4 }), { strength: 1, details: { emails: 4, withinDays: 30 } }],
      [
        { ...withContacts({ phones: 2 }), thresholds: { contactsOfDocument: 2, sharedWithinDays: 7 } },
        { strength: 1, details: { phones: 2, withinDays: 7 } },
      ],
    ],
    doesNotHold: [
      // Phones and e-mail addresses are counted separately: a normal person may have three of each.
      [withContacts({ phones: 3, emails: 3 }), { phones: 3, emails: 3, withinDays: 30 }],
      [withContacts({ phones: 1 }), { phones: 1, withinDays: 30 }],
      [withContacts({ emails: 1 }), { emails: 1, withinDays: 30 }],
    ],
    withoutEvidence: [{}, { links: { pairs: [], countsByKind: {} } }, withContacts({})],
  },
};
