import { defineFlow } from '../../domain/flows/check-flow';
import { templates } from '../templates';

/**
 * A code by SMS. People who were too slow get a second visit to this step. Each of the two visits sends at most two messages, because a
 * tenant may send only five messages per day to a phone.
 */
export const phoneOnlyFlow = defineFlow(templates, {
  name: 'phone-only',
  version: 1,
  title: 'A code by SMS, with a second try',
  start: 'code',
  steps: {
    code: {
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
      exits: { Valid: 'confirmed', Expired: 'code', Blocked: 'blocked', Failed: 'undeliverable' },
      visits: 2,
      exhausted: 'expired',
    },
    confirmed: { kind: 'outcome', outcome: 'Confirmed' },
    expired: { kind: 'outcome', outcome: 'Expired' },
    blocked: { kind: 'outcome', outcome: 'Blocked' },
    undeliverable: { kind: 'outcome', outcome: 'Undeliverable' },
  },
});
