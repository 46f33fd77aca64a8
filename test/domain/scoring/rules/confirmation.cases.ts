import type { PersonFacts } from '../../../../domain/transactions/input';
import type { CaseTable } from './rule-cases';

const now = '2026-11-21T12:00:00.000Z';

const withBiometrics = (status: NonNullable<PersonFacts['biometrics']>['status']): { facts: PersonFacts } => ({
  facts: { biometrics: { status, at: now } },
});

export const confirmationCases: CaseTable = {
  'CF001.Positivo': {
    holds: [[{ facts: { phoneConfirmedAt: now, deniedAt: now } }, { strength: 1, details: { confirmed: true } }]],
    doesNotHold: [[{ facts: { emailConfirmedAt: now } }, { confirmed: false }]],
    withoutEvidence: [{}],
  },
  'CF002.Positivo': {
    holds: [[{ facts: { emailConfirmedAt: now, deniedAt: now } }, { strength: 1, details: { confirmed: true } }]],
    doesNotHold: [[{ facts: { phoneConfirmedAt: now } }, { confirmed: false }]],
    withoutEvidence: [{}],
  },
  'CF003.Negativo': {
    holds: [
      [
        { facts: { deniedAt: now, phoneConfirmedAt: now, emailConfirmedAt: now } },
        { strength: 1, details: { denied: true } },
      ],
    ],
    doesNotHold: [[{ facts: { phoneConfirmedAt: now, emailConfirmedAt: now } }, { denied: false }]],
    withoutEvidence: [{}],
  },
  'CF004.Positivo': {
    holds: [[withBiometrics('Approved'), { strength: 1, details: { biometrics: 'Approved' } }]],
    doesNotHold: [
      [withBiometrics('Rejected'), { biometrics: 'Rejected' }],
      [withBiometrics('Inconclusive'), { biometrics: 'Inconclusive' }],
    ],
    withoutEvidence: [{}],
  },
  'CF004.Negativo': {
    holds: [[withBiometrics('Rejected'), { strength: 1, details: { biometrics: 'Rejected' } }]],
    doesNotHold: [
      [withBiometrics('Approved'), { biometrics: 'Approved' }],
      [withBiometrics('Inconclusive'), { biometrics: 'Inconclusive' }],
    ],
    withoutEvidence: [{}],
  },
};
