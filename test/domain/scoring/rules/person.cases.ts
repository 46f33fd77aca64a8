import type { CaseTable } from './rule-cases';

const saw = (age: 'below' | 'within' | 'above') => ({ age, ageMin: 18, ageMax: 110 });

export const personCases: CaseTable = {
  'CP001.Negativo': {
    fires: [
      [
        { postalCode: { state: 'SP', matchesStatedState: false } },
        { strength: 1, details: { matchesStatedState: false } },
      ],
    ],
    quiet: [[{ postalCode: { state: 'SP', matchesStatedState: true } }, { matchesStatedState: true }]],
    blind: [{}, { postalCode: {} }, { postalCode: { state: 'SP' } }],
  },
  'CP002.Neutro': {
    fires: [[{ postalCode: {} }, { strength: 1, details: { known: false } }]],
    quiet: [[{ postalCode: { state: 'SP' } }, { known: true }]],
    blind: [{}],
  },
  'NM001.Neutro': {
    fires: [
      [{ name: { words: 1, odd: false } }, { strength: 1, details: { words: 1, odd: false } }],
      [{ name: { words: 3, odd: true } }, { strength: 1, details: { words: 3, odd: true } }],
      [{ name: { words: 0, odd: true } }, { strength: 1, details: { words: 0, odd: true } }],
    ],
    quiet: [[{ name: { words: 2, odd: false } }, { words: 2, odd: false }]],
    blind: [{}],
  },
  'NM002.Positivo': {
    fires: [
      [
        { mother: { sameAsPerson: false, sharesFamilyName: true } },
        { strength: 1, details: { sharesFamilyName: true, sameAsPerson: false } },
      ],
    ],
    quiet: [
      [{ mother: { sameAsPerson: false, sharesFamilyName: false } }, { sharesFamilyName: false, sameAsPerson: false }],
      // The same name in both fields has no effect.
      [{ mother: { sameAsPerson: true, sharesFamilyName: true } }, { sharesFamilyName: true, sameAsPerson: true }],
    ],
    blind: [{}],
  },
  'NM003.Negativo': {
    fires: [
      [{ mother: { sameAsPerson: true, sharesFamilyName: true } }, { strength: 1, details: { sameAsPerson: true } }],
    ],
    quiet: [[{ mother: { sameAsPerson: false, sharesFamilyName: true } }, { sameAsPerson: false }]],
    blind: [{}],
  },
  'BD001.Negativo': {
    fires: [
      [{ age: 17 }, { strength: 1, details: saw('below') }],
      [{ age: 0 }, { strength: 1, details: saw('below') }],
      [{ age: 111 }, { strength: 1, details: saw('above') }],
      [
        { age: 20, thresholds: { ageMin: 21, ageMax: 70 } },
        { strength: 1, details: { age: 'below', ageMin: 21, ageMax: 70 } },
      ],
    ],
    quiet: [
      [{ age: 18 }, saw('within')],
      [{ age: 110 }, saw('within')],
    ],
    blind: [{}],
  },
};
