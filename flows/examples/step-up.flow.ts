import { defineFlow } from '../../domain/flows/check-flow';
import { templates } from '../templates';

/** People with a good score enter a code. For all others, the flow notifies the caller and asks for images of document and face. */
export const stepUpFlow = defineFlow(templates, {
  name: 'step-up',
  version: 1,
  title: 'A code for most, pictures where the risk is higher',
  start: 'risk',
  steps: {
    risk: {
      kind: 'decide',
      rules: [
        {
          when: "'EM001' in insights",
          then: 'tell',
          because: 'The mailbox is disposable',
        },
        { when: 'score >= 60.0', then: 'code', because: 'The score is 60 or more' },
      ],
      else: 'tell',
    },
    code: {
      kind: 'confirm',
      channel: 'sms',
      ask: 'token',
      template: 'sms-token',
      expiresAfterSeconds: 300,
      sendLimit: 3,
      resendAfterSeconds: 60,
      attemptLimit: 5,
      codeDigits: 6,
      resend: 'reuse',
      // Wrong codes and a phone that cannot be reached are reasons for a closer check.
      exits: { Valid: 'confirmed', Expired: 'expired', Blocked: 'tell', Failed: 'tell' },
    },
    tell: {
      kind: 'notify',
      event: 'step-up.started',
      giveUpAfterSeconds: 60,
      // If the event was not delivered, the flow run continues, because the caller can also read the flow run.
      exits: { Delivered: 'pictures', Failed: 'pictures' },
    },
    pictures: {
      kind: 'biometrics',
      channels: ['sms'],
      linkSeconds: 86_400,
      decideWithinSeconds: 259_200,
      exits: {
        Approved: 'confirmed',
        Rejected: 'rejected',
        Inconclusive: 'undecided',
        Expired: 'expired',
        Abandoned: 'expired',
        Canceled: 'withdrawn',
        Undecided: 'undecided',
      },
    },
    confirmed: { kind: 'outcome', outcome: 'Confirmed' },
    rejected: { kind: 'outcome', outcome: 'Rejected' },
    expired: { kind: 'outcome', outcome: 'Expired' },
    withdrawn: { kind: 'outcome', outcome: 'Withdrawn' },
    undecided: { kind: 'outcome', outcome: 'Undecided' },
  },
});
