import type { Evidence } from '../../../../domain/scoring/evidence';
import type { CaseTable } from './rule-cases';
import { busyCases, sharedCases } from './shared-cases';

const phone = (change: Partial<NonNullable<Evidence['phone']>> = {}): NonNullable<Evidence['phone']> => ({
  allocated: true,
  line: 'mobile',
  ...change,
});

const postalCode = { state: 'SP' };
const blindToStates = [
  { postalCode },
  { phone: phone({ allocated: false }), postalCode },
  { phone: phone({ state: 'SP' }) },
  { phone: phone({ state: 'SP' }), postalCode: {} },
];

export const phoneCases: CaseTable = {
  'PH001.Positivo': {
    positive: [
      [
        { phone: phone({ state: 'SP' }), postalCode },
        { strength: 1, details: { sameState: true } },
      ],
    ],
    negative: [[{ phone: phone({ state: 'RJ' }), postalCode }, { sameState: false }]],
    withoutEvidence: blindToStates,
  },
  'PH001.Negativo': {
    positive: [
      [
        { phone: phone({ state: 'RJ' }), postalCode },
        { strength: 1, details: { sameState: false } },
      ],
    ],
    negative: [[{ phone: phone({ state: 'SP' }), postalCode }, { sameState: true }]],
    withoutEvidence: blindToStates,
  },
  'PH002.Negativo': {
    positive: [[{ phone: phone({ allocated: false }) }, { strength: 1, details: { allocated: false } }]],
    negative: [[{ phone: phone() }, { allocated: true }]],
    withoutEvidence: [{}],
  },
  'PH003.Neutro': {
    positive: [[{ phone: phone({ line: 'landline' }) }, { strength: 1, details: { line: 'landline' } }]],
    negative: [
      [{ phone: phone() }, { line: 'mobile' }],
      [{ phone: phone({ line: 'unknown' }) }, { line: 'unknown' }],
    ],
    withoutEvidence: [{}],
  },
  'PH004.Negativo': sharedCases('Phone'),
  'PH005.Negativo': busyCases('Phone'),
};
