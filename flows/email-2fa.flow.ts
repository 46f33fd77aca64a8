import { defineFlow } from '../domain/flows/check-flow';
import { templates } from './templates';

export const emailSecondFactorFlow = defineFlow(templates, {
  name: 'email-2fa',
  version: 1,
  title: 'A yes or no by e-mail',
  start: 'question',
  steps: {
    question: {
      kind: 'confirm',
      channel: 'email',
      ask: 'reply',
      template: 'email-2fa',
      expiresAfterSeconds: 1_800,
      sendLimit: 2,
      resendAfterSeconds: 60,
      exits: { Yes: 'confirmed', No: 'denied', Expired: 'expired', Failed: 'undeliverable' },
    },
    confirmed: { kind: 'outcome', outcome: 'Confirmed' },
    denied: { kind: 'outcome', outcome: 'Denied' },
    expired: { kind: 'outcome', outcome: 'Expired' },
    undeliverable: { kind: 'outcome', outcome: 'Undeliverable' },
  },
});
