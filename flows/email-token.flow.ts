import { defineFlow } from '../domain/flows/check-flow';
import { templates } from './templates';

export const emailTokenFlow = defineFlow(templates, {
  name: 'email-token',
  version: 1,
  title: 'A code by e-mail',
  start: 'code',
  steps: {
    code: {
      kind: 'confirm',
      channel: 'email',
      ask: 'token',
      template: 'email-token',
      // Mail filters may delay a message by ten minutes.
      expiresAfterSeconds: 1_800,
      sendLimit: 3,
      resendAfterSeconds: 60,
      attemptLimit: 5,
      codeDigits: 6,
      // With `rotate`, each further message has a new code, which replaces the earlier code.
      resend: 'rotate',
      exits: { Valid: 'confirmed', Expired: 'expired', Blocked: 'blocked', Failed: 'undeliverable' },
    },
    confirmed: { kind: 'outcome', outcome: 'Confirmed' },
    expired: { kind: 'outcome', outcome: 'Expired' },
    blocked: { kind: 'outcome', outcome: 'Blocked' },
    undeliverable: { kind: 'outcome', outcome: 'Undeliverable' },
  },
});
