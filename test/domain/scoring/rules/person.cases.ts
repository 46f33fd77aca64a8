import type { CaseTable } from './rule-cases';

const ageDetails = (age: 'below' | 'within' | 'above') => ({ age, ageMin: 18, ageMax: 110 });

export const personCases: CaseTable = {
  'CP001.Negativo': {
    holds: [
      [
        { postalCode: { state: 'SP', matchesStatedState: false } },
        { strength: 1, details: { matchesStatedState: false } },
      ],
    ],
    doesNotHold: [[{ postalCode: { state: 'SP', matchesStatedState: true } }, { matchesStatedState: true }]],
    withoutEvidence: [{}, { postalCode: {} }, { postalCode: { state: 'SP' } }],
  },
  'CP002.Neutro': {
    holds: [[{ postalCode: {} }, { strength: 1, details: { known: false } }]],
    doesNotHold: [[{ postalCode: { state: 'SP' } }, { known: true }]],
    withoutEvidence: [{}],
  },
  'NM001.Neutro': {
    holds: [
      [{ name: { words: 1, unusual: false } }, { strength: 1, details: { words: 1, unusual: false } }],
      [{ name: { words: 3, unusual: true } }, { strength: 1, details: { words: 3, unusual: true } }],
      [{ name: { words: 0, unusual: true } }, { strength: 1, details: { words: 0, unusual: true } }],
    ],
    doesNotHold: [[{ name: { words: 2, unusual: false } }, { words: 2, unusual: false }]],
    withoutEvidence: [{}],
  },
  'NM002.Positivo': {
    holds: [
      [
        { mother: { sameAsPerson: false, sharesFamilyName: true } },
        { strength: 1, details: { sharesFamilyName: true, sameAsPerson: false } },
      ],
    ],
    doesNotHold: [
      [{ mother: { sameAsPerson: false, sharesFamilyName: false } }, { sharesFamilyName: false, sameAsPerson: false }],
      [{ mother: { sameAsPerson: true, sharesFamilyName: true } }, { sharesFamilyName: true, sameAsPerson: true }],
    ],
    withoutEvidence: [{}],
  },
  'NM003.Negativo': {
    holds: [
      [{ mother: { sameAsPerson: true, sharesFamilyName: true } }, { strength: 1, details: { sameAsPerson: true } }],
    ],
    doesNotHold: [[{ mother: { sameAsPerson: false, sharesFamilyName: true } }, { sameAsPerson: false }]],
    withoutEvidence: [{}],
  },
  'BD001.Negativo': {
    holds: [
      [{ age: 17 }, { strength: 1, details: ageDetails('below') }],
      [{ age: 0 }, { strength: 1, details: ageDetails('below') }],
      [{ age: 111 }, { strength: 1, details: ageDetails('above') }],
      [
        { age: 20, thresholds: { ageMin: 21, ageMax: 70 } },
        { strength: 1, details: { age: 'below', ageMin: 21, ageMax: 70 } },
      ],
    ],
    doesNotHold: [
      [{ age: 18 }, ageDetails('within')],
      [{ age: 110 }, ageDetails('within')],
    ],
    withoutEvidence: [{}],
  },
};
