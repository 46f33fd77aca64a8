import { defineFlow } from '../domain/flows/check-flow';
import { templates } from './templates';

export const voiceTokenFlow = defineFlow(templates, {
  name: 'voice-token',
  version: 1,
  title: 'A code by voice call',
  start: 'code',
  steps: {
    code: {
      kind: 'confirm',
      channel: 'voice',
      ask: 'token',
      template: 'voice-token',
      expiresAfterSeconds: 300,
      sendLimit: 3,
      resendAfterSeconds: 60,
      attemptLimit: 5,
      codeDigits: 6,
      // A person who missed some digits hears the same code again.
      resend: 'reuse',
      exits: { Valid: 'confirmed', Expired: 'expired', Blocked: 'blocked', Failed: 'undeliverable' },
    },
    confirmed: { kind: 'outcome', outcome: 'Confirmed' },
    expired: { kind: 'outcome', outcome: 'Expired' },
    blocked: { kind: 'outcome', outcome: 'Blocked' },
    undeliverable: { kind: 'outcome', outcome: 'Undeliverable' },
  },
});
