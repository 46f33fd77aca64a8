import type { PersonFacts } from '../../../../domain/person-facts';
import type { CaseTable } from './rule-cases';

const now = '2026-11-21T12:00:00.000Z';

const withBiometrics = (status: NonNullable<PersonFacts['biometrics']>['status']): { facts: PersonFacts } => ({
  facts: { biometrics: { status, at: now } },
});

export const confirmationCases: CaseTable = {
  'CF001.Positivo': {
    positive: [[{ facts: { phone: now, denied: now } }, { strength: 1, details: { confirmed: true } }]],
    negative: [[{ facts: { email: now } }, { confirmed: false }]],
    withoutEvidence: [{}],
  },
  'CF002.Positivo': {
    positive: [[{ facts: { email: now, denied: now } }, { strength: 1, details: { confirmed: true } }]],
    negative: [[{ facts: { phone: now } }, { confirmed: false }]],
    withoutEvidence: [{}],
  },
  'CF003.Negativo': {
    positive: [[{ facts: { denied: now, phone: now, email: now } }, { strength: 1, details: { denied: true } }]],
    negative: [[{ facts: { phone: now, email: now } }, { denied: false }]],
    withoutEvidence: [{}],
  },
  'CF004.Positivo': {
    positive: [[withBiometrics('Approved'), { strength: 1, details: { biometrics: 'Approved' } }]],
    negative: [
      [withBiometrics('Rejected'), { biometrics: 'Rejected' }],
      [withBiometrics('Inconclusive'), { biometrics: 'Inconclusive' }],
    ],
    withoutEvidence: [{}],
  },
  'CF004.Negativo': {
    positive: [[withBiometrics('Rejected'), { strength: 1, details: { biometrics: 'Rejected' } }]],
    negative: [
      [withBiometrics('Approved'), { biometrics: 'Approved' }],
      [withBiometrics('Inconclusive'), { biometrics: 'Inconclusive' }],
    ],
    withoutEvidence: [{}],
  },
};
