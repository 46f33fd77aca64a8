import type { ConfirmStep } from '../../domain/flows/definition';
import { defineFlow } from '../../domain/flows/check-flow';
import { templates } from '../templates';

const code = {
  kind: 'confirm',
  ask: 'token',
  expiresAfterSeconds: 300,
  resendAfterSeconds: 60,
  attemptLimit: 5,
  codeDigits: 6,
} as const satisfies Partial<ConfirmStep>;

/**
 * A code on WhatsApp. If it does not arrive within 20 s, or is not entered, the person gets a code by SMS. If this does not arrive within a
 * minute, or is not entered, a call tells the code. A message that arrives late has the same code as the next one.
 */
export const anyPhoneFlow = defineFlow(templates, {
  name: 'any-phone',
  version: 1,
  title: 'WhatsApp, then SMS, a call last',
  start: 'whatsapp',
  steps: {
    whatsapp: {
      ...code,
      channel: 'whatsapp',
      template: 'whatsapp-token',
      sendLimit: 1,
      deliverWithinSeconds: 20,
      resend: 'rotate',
      exits: { Valid: 'confirmed', Expired: 'sms', Blocked: 'blocked', Failed: 'sms', Undelivered: 'sms' },
    },
    sms: {
      ...code,
      channel: 'sms',
      template: 'sms-token',
      sendLimit: 2,
      deliverWithinSeconds: 60,
      resend: 'reuse',
      exits: { Valid: 'confirmed', Expired: 'call', Blocked: 'blocked', Failed: 'call', Undelivered: 'call' },
    },
    call: {
      ...code,
      channel: 'voice',
      template: 'voice-token',
      sendLimit: 1,
      resend: 'reuse',
      exits: { Valid: 'confirmed', Expired: 'expired', Blocked: 'blocked', Failed: 'undeliverable' },
    },
    confirmed: { kind: 'outcome', outcome: 'Confirmed' },
    expired: { kind: 'outcome', outcome: 'Expired' },
    blocked: { kind: 'outcome', outcome: 'Blocked' },
    undeliverable: { kind: 'outcome', outcome: 'Undeliverable' },
  },
});
