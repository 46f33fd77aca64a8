import { defineFlow } from '../../domain/flows/check-flow';
import { templates } from '../templates';

/** The signer of a company enters a code from the company's phone, and then confirms by the company's e-mail. */
export const companySignerFlow = defineFlow(templates, {
  name: 'company-signer',
  version: 1,
  title: 'A code by SMS, then a yes or no by e-mail',
  start: 'code',
  steps: {
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
      exits: { Valid: 'pause', Expired: 'expired', Blocked: 'blocked', Failed: 'undeliverable' },
    },
    // Without this pause, the e-mail would arrive at the moment when the person enters the code. Many people would think that the e-mail is
    // about the code.
    pause: { kind: 'wait', seconds: 10, then: 'signature' },
    signature: {
      kind: 'confirm',
      channel: 'email',
      ask: 'reply',
      template: 'signer-email',
      expiresAfterSeconds: 3_600,
      sendLimit: 2,
      resendAfterSeconds: 600,
      exits: { Yes: 'confirmed', No: 'denied', Expired: 'expired', Failed: 'undeliverable' },
    },
    confirmed: { kind: 'outcome', outcome: 'Confirmed' },
    denied: { kind: 'outcome', outcome: 'Denied' },
    expired: { kind: 'outcome', outcome: 'Expired' },
    blocked: { kind: 'outcome', outcome: 'Blocked' },
    undeliverable: { kind: 'outcome', outcome: 'Undeliverable' },
  },
});
