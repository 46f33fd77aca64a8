import { defineFlow } from '../domain/flows/check-flow';
import { templates } from './templates';

export const whatsappSecondFactorFlow = defineFlow(templates, {
  name: 'whatsapp-2fa',
  version: 1,
  title: 'A yes or no on WhatsApp',
  start: 'question',
  steps: {
    question: {
      kind: 'confirm',
      channel: 'whatsapp',
      ask: 'reply',
      template: 'whatsapp-2fa',
      expiresAfterSeconds: 1_800,
      sendLimit: 3,
      resendAfterSeconds: 60,
      exits: { Yes: 'confirmed', No: 'denied', Expired: 'expired', Failed: 'undeliverable' },
    },
    confirmed: { kind: 'outcome', outcome: 'Confirmed' },
    denied: { kind: 'outcome', outcome: 'Denied' },
    expired: { kind: 'outcome', outcome: 'Expired' },
    undeliverable: { kind: 'outcome', outcome: 'Undeliverable' },
  },
});
