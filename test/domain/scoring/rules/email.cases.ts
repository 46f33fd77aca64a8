import type { Evidence } from '../../../../domain/scoring/evidence';
import type { CaseTable, KnownEvidence } from './rule-cases';
import { busyCases, sharedCases } from './shared-cases';

const email = (change: Partial<NonNullable<Evidence['email']>> = {}): KnownEvidence => ({
  email: { disposable: false, ...change },
});

export const emailCases: CaseTable = {
  'EM001.Negativo': {
    positive: [[email({ disposable: true }), { strength: 1, details: { disposable: true } }]],
    negative: [[email(), { disposable: false }]],
    withoutEvidence: [{}],
  },
  'EM002.Negativo': {
    positive: [[email({ mailServer: 'none' }), { strength: 1, details: { mailServer: 'none' } }]],
    negative: [[email({ mailServer: 'found' }), { mailServer: 'found' }]],
    withoutEvidence: [{}, email()],
  },
  'EM003.Positivo': {
    positive: [
      [email({ resemblesName: 0.8 }), { strength: 0.5, details: { likeness: 0.8 } }],
      [email({ resemblesName: 0.9 }), { strength: 0.75, details: { likeness: 0.9 } }],
      [email({ resemblesName: 1 }), { strength: 1, details: { likeness: 1 } }],
      [
        { ...email({ resemblesName: 0.5 }), thresholds: { mailboxResembles: 0.5 } },
        { strength: 0.5, details: { likeness: 0.5 } },
      ],
      // There is no range for grading: only full similarity counts.
      [
        { ...email({ resemblesName: 1 }), thresholds: { mailboxResembles: 1 } },
        { strength: 1, details: { likeness: 1 } },
      ],
    ],
    negative: [
      [email({ resemblesName: 0 }), { likeness: 0 }],
      // Not rounded to 0.8, which would have counted.
      [email({ resemblesName: 0.7999 }), { likeness: 0.79 }],
      [email({ resemblesName: 0.29 }), { likeness: 0.29 }],
    ],
    withoutEvidence: [{}, email()],
  },
  'EM004.Negativo': sharedCases('Email'),
  'EM006.Negativo': busyCases('Email'),
  'EM005.Negativo': {
    positive: [[email({ syntax: 'odd' }), { strength: 1, details: { syntax: 'odd' } }]],
    negative: [[email({ syntax: 'sound' }), { syntax: 'sound' }]],
    withoutEvidence: [{}, email()],
  },
};
