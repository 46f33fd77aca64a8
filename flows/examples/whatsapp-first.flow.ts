import { defineFlow } from '../../domain/flows/check-flow';
import { templates } from '../templates';

/** A question on WhatsApp. People who do not reply to it get a code by SMS. People who do not enter this code get a code by e-mail. */
export const whatsappFirstFlow = defineFlow(templates, {
  name: 'whatsapp-first',
  version: 1,
  title: 'WhatsApp, then SMS, e-mail last',
  start: 'question',
  steps: {
    question: {
      kind: 'confirm',
      channel: 'whatsapp',
      ask: 'reply',
      template: 'whatsapp-2fa',
      expiresAfterSeconds: 180,
      sendLimit: 2,
      resendAfterSeconds: 60,
      exits: { Yes: 'confirmed', No: 'denied', Expired: 'sms-code', Failed: 'sms-code' },
    },
    'sms-code': {
      kind: 'confirm',
      channel: 'sms',
      ask: 'token',
      template: 'sms-token',
      expiresAfterSeconds: 300,
      sendLimit: 2,
      resendAfterSeconds: 60,
      attemptLimit: 5,
      codeDigits: 6,
      resend: 'reuse',
      exits: { Valid: 'confirmed', Expired: 'email-code', Blocked: 'blocked', Failed: 'email-code' },
    },
    'email-code': {
      kind: 'confirm',
      channel: 'email',
      ask: 'token',
      template: 'email-token',
      expiresAfterSeconds: 1_800,
      sendLimit: 2,
      resendAfterSeconds: 60,
      attemptLimit: 5,
      codeDigits: 6,
      resend: 'rotate',
      exits: { Valid: 'confirmed-by-email', Expired: 'expired', Blocked: 'blocked', Failed: 'undeliverable' },
    },
    confirmed: { kind: 'outcome', outcome: 'Confirmed' },
    // A confirmed mailbox does not confirm the phone. This separate outcome lets the caller treat such a person differently.
    'confirmed-by-email': { kind: 'outcome', outcome: 'ConfirmedByEmail' },
    denied: { kind: 'outcome', outcome: 'Denied' },
    expired: { kind: 'outcome', outcome: 'Expired' },
    blocked: { kind: 'outcome', outcome: 'Blocked' },
    undeliverable: { kind: 'outcome', outcome: 'Undeliverable' },
  },
});
