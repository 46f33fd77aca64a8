import type { PersonFacts } from '../../../../domain/person-facts';
import type { CaseTable } from './rule-cases';

const at = '2026-11-21T12:00:00.000Z';

const biometrics = (status: NonNullable<PersonFacts['biometrics']>['status']): { facts: PersonFacts } => ({
  facts: { biometrics: { status, at } },
});

export const confirmationCases: CaseTable = {
  'CF001.Positivo': {
    fires: [[{ facts: { phone: at, denied: at } }, { strength: 1, details: { confirmed: true } }]],
    quiet: [[{ facts: { email: at } }, { confirmed: false }]],
    blind: [{}],
  },
  'CF002.Positivo': {
    fires: [[{ facts: { email: at, denied: at } }, { strength: 1, details: { confirmed: true } }]],
    quiet: [[{ facts: { phone: at } }, { confirmed: false }]],
    blind: [{}],
  },
  'CF003.Negativo': {
    fires: [[{ facts: { denied: at, phone: at, email: at } }, { strength: 1, details: { denied: true } }]],
    quiet: [[{ facts: { phone: at, email: at } }, { denied: false }]],
    blind: [{}],
  },
  'CF004.Positivo': {
    fires: [[biometrics('Approved'), { strength: 1, details: { biometrics: 'Approved' } }]],
    quiet: [
      [biometrics('Rejected'), { biometrics: 'Rejected' }],
      [biometrics('Inconclusive'), { biometrics: 'Inconclusive' }],
    ],
    blind: [{}],
  },
  'CF004.Negativo': {
    fires: [[biometrics('Rejected'), { strength: 1, details: { biometrics: 'Rejected' } }]],
    quiet: [
      [biometrics('Approved'), { biometrics: 'Approved' }],
      [biometrics('Inconclusive'), { biometrics: 'Inconclusive' }],
    ],
    blind: [{}],
  },
};
