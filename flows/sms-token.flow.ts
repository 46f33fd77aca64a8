import { defineFlow } from '../domain/flows/check-flow';
import { templates } from './templates';

export const smsTokenFlow = defineFlow(templates, {
  name: 'sms-token',
  version: 1,
  title: 'A code by SMS',
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
      // Text messages may arrive in the wrong order. With `reuse`, all messages have the same code, so every message has the right code.
      resend: 'reuse',
      exits: { Valid: 'confirmed', Expired: 'expired', Blocked: 'blocked', Failed: 'undeliverable' },
    },
    confirmed: { kind: 'outcome', outcome: 'Confirmed' },
    expired: { kind: 'outcome', outcome: 'Expired' },
    blocked: { kind: 'outcome', outcome: 'Blocked' },
    undeliverable: { kind: 'outcome', outcome: 'Undeliverable' },
  },
});
