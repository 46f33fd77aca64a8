import type { Evidence } from '../../../../domain/scoring/evidence';
import type { CaseTable, RuleInput } from './rule-cases';
import { manyTransactionsCases, sharedCases } from './shared-cases';

const withEmail = (change: Partial<NonNullable<Evidence['email']>> = {}): RuleInput => ({
  email: { disposable: false, ...change },
});

export const emailCases: CaseTable = {
  'EM001.Negativo': {
    holds: [[withEmail({ disposable: true }), { strength: 1, details: { disposable: true } }]],
    doesNotHold: [[withEmail(), { disposable: false }]],
    withoutEvidence: [{}],
  },
  'EM002.Negativo': {
    holds: [[withEmail({ mailServer: 'none' }), { strength: 1, details: { mailServer: 'none' } }]],
    doesNotHold: [[withEmail({ mailServer: 'found' }), { mailServer: 'found' }]],
    withoutEvidence: [{}, withEmail()],
  },
  'EM003.Positivo': {
    holds: [
      [withEmail({ resemblesName: 0.8 }), { strength: 0.5, details: { likeness: 0.8 } }],
      [withEmail({ resemblesName: 0.9 }), { strength: 0.75, details: { likeness: 0.9 } }],
      [withEmail({ resemblesName: 1 }), { strength: 1, details: { likeness: 1 } }],
      [
        { ...withEmail({ resemblesName: 0.5 }), thresholds: { mailboxResembles: 0.5 } },
        { strength: 0.5, details: { likeness: 0.5 } },
      ],
      // With this threshold, only full similarity counts.
      [
        { ...withEmail({ resemblesName: 1 }), thresholds: { mailboxResembles: 1 } },
        { strength: 1, details: { likeness: 1 } },
      ],
    ],
    doesNotHold: [
      [withEmail({ resemblesName: 0 }), { likeness: 0 }],
      // 0.7999 is not rounded to 0.8. The rule holds from 0.8 on.
      [withEmail({ resemblesName: 0.7999 }), { likeness: 0.79 }],
      [withEmail({ resemblesName: 0.29 }), { likeness: 0.29 }],
    ],
    withoutEvidence: [{}, withEmail()],
  },
  'EM004.Negativo': sharedCases('Email'),
  'EM006.Negativo': manyTransactionsCases('Email'),
  'EM005.Negativo': {
    holds: [[withEmail({ syntax: 'invalid' }), { strength: 1, details: { syntax: 'invalid' } }]],
    doesNotHold: [[withEmail({ syntax: 'valid' }), { syntax: 'valid' }]],
    withoutEvidence: [{}, withEmail()],
  },
};
