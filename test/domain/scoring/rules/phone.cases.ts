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
    fires: [
      [
        { phone: phone({ state: 'SP' }), postalCode },
        { strength: 1, details: { sameState: true } },
      ],
    ],
    quiet: [[{ phone: phone({ state: 'RJ' }), postalCode }, { sameState: false }]],
    blind: blindToStates,
  },
  'PH001.Negativo': {
    fires: [
      [
        { phone: phone({ state: 'RJ' }), postalCode },
        { strength: 1, details: { sameState: false } },
      ],
    ],
    quiet: [[{ phone: phone({ state: 'SP' }), postalCode }, { sameState: true }]],
    blind: blindToStates,
  },
  'PH002.Negativo': {
    fires: [[{ phone: phone({ allocated: false }) }, { strength: 1, details: { allocated: false } }]],
    quiet: [[{ phone: phone() }, { allocated: true }]],
    blind: [{}],
  },
  'PH003.Neutro': {
    fires: [[{ phone: phone({ line: 'landline' }) }, { strength: 1, details: { line: 'landline' } }]],
    quiet: [
      [{ phone: phone() }, { line: 'mobile' }],
      [{ phone: phone({ line: 'unknown' }) }, { line: 'unknown' }],
    ],
    blind: [{}],
  },
  'PH004.Negativo': sharedCases('Phone'),
  'PH005.Negativo': busyCases('Phone'),
};
