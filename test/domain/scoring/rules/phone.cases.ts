import type { Evidence } from '../../../../domain/scoring/evidence';
import type { CaseTable } from './rule-cases';
import { manyTransactionsCases, sharedCases } from './shared-cases';

const buildPhone = (change: Partial<NonNullable<Evidence['phone']>> = {}): NonNullable<Evidence['phone']> => ({
  allocated: true,
  line: 'mobile',
  ...change,
});

const postalCode = { state: 'SP' };
/** Evidence in which the Brazilian state of the phone or of the postal code is unknown. */
const withoutStates = [
  { postalCode },
  { phone: buildPhone({ allocated: false }), postalCode },
  { phone: buildPhone({ state: 'SP' }) },
  { phone: buildPhone({ state: 'SP' }), postalCode: {} },
];

export const phoneCases: CaseTable = {
  'PH001.Positivo': {
    holds: [
      [
        { phone: buildPhone({ state: 'SP' }), postalCode },
        { strength: 1, details: { sameState: true } },
      ],
    ],
    doesNotHold: [[{ phone: buildPhone({ state: 'RJ' }), postalCode }, { sameState: false }]],
    withoutEvidence: withoutStates,
  },
  'PH001.Negativo': {
    holds: [
      [
        { phone: buildPhone({ state: 'RJ' }), postalCode },
        { strength: 1, details: { sameState: false } },
      ],
    ],
    doesNotHold: [[{ phone: buildPhone({ state: 'SP' }), postalCode }, { sameState: true }]],
    withoutEvidence: withoutStates,
  },
  'PH002.Negativo': {
    holds: [[{ phone: buildPhone({ allocated: false }) }, { strength: 1, details: { allocated: false } }]],
    doesNotHold: [[{ phone: buildPhone() }, { allocated: true }]],
    withoutEvidence: [{}],
  },
  'PH003.Neutro': {
    holds: [[{ phone: buildPhone({ line: 'landline' }) }, { strength: 1, details: { line: 'landline' } }]],
    doesNotHold: [
      [{ phone: buildPhone() }, { line: 'mobile' }],
      [{ phone: buildPhone({ line: 'unknown' }) }, { line: 'unknown' }],
    ],
    withoutEvidence: [{}],
  },
  'PH004.Negativo': sharedCases('Phone'),
  'PH005.Negativo': manyTransactionsCases('Phone'),
};
