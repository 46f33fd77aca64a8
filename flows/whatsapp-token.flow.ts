import { defineFlow } from '../domain/flows/check-flow';
import { templates } from './templates';

export const whatsappTokenFlow = defineFlow(templates, {
  name: 'whatsapp-token',
  version: 1,
  title: 'A code on WhatsApp',
  start: 'code',
  steps: {
    code: {
      kind: 'confirm',
      channel: 'whatsapp',
      ask: 'token',
      template: 'whatsapp-token',
      expiresAfterSeconds: 300,
      sendLimit: 3,
      resendAfterSeconds: 60,
      attemptLimit: 5,
      codeDigits: 6,
      // The text of WhatsApp says for how many minutes the code is valid. With `rotate`, this is right for each further message.
      resend: 'rotate',
      exits: { Valid: 'confirmed', Expired: 'expired', Blocked: 'blocked', Failed: 'undeliverable' },
    },
    confirmed: { kind: 'outcome', outcome: 'Confirmed' },
    expired: { kind: 'outcome', outcome: 'Expired' },
    blocked: { kind: 'outcome', outcome: 'Blocked' },
    undeliverable: { kind: 'outcome', outcome: 'Undeliverable' },
  },
});
