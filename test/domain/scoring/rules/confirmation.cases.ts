import type { PersonFacts } from '../../../../domain/person-facts';
import type { CaseTable } from './rule-cases';

const at = '2026-11-21T12:00:00.000Z';

const biometrics = (status: NonNullable<PersonFacts['biometrics']>['status']): { facts: PersonFacts } => ({
  facts: { biometrics: { status, at } },
});

export const confirmationCases: CaseTable = {
  'CF001.Positivo': {
    positive: [[{ facts: { phone: at, denied: at } }, { strength: 1, details: { confirmed: true } }]],
    negative: [[{ facts: { email: at } }, { confirmed: false }]],
    withoutEvidence: [{}],
  },
  'CF002.Positivo': {
    positive: [[{ facts: { email: at, denied: at } }, { strength: 1, details: { confirmed: true } }]],
    negative: [[{ facts: { phone: at } }, { confirmed: false }]],
    withoutEvidence: [{}],
  },
  'CF003.Negativo': {
    positive: [[{ facts: { denied: at, phone: at, email: at } }, { strength: 1, details: { denied: true } }]],
    negative: [[{ facts: { phone: at, email: at } }, { denied: false }]],
    withoutEvidence: [{}],
  },
  'CF004.Positivo': {
    positive: [[biometrics('Approved'), { strength: 1, details: { biometrics: 'Approved' } }]],
    negative: [
      [biometrics('Rejected'), { biometrics: 'Rejected' }],
      [biometrics('Inconclusive'), { biometrics: 'Inconclusive' }],
    ],
    withoutEvidence: [{}],
  },
  'CF004.Negativo': {
    positive: [[biometrics('Rejected'), { strength: 1, details: { biometrics: 'Rejected' } }]],
    negative: [
      [biometrics('Approved'), { biometrics: 'Approved' }],
      [biometrics('Inconclusive'), { biometrics: 'Inconclusive' }],
    ],
    withoutEvidence: [{}],
  },
};
