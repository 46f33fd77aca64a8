import { z } from 'zod';

import { time } from '../../http/response-fields';
const channel = z.enum(['sms', 'email', 'whatsapp']);

const message = { channel, expiresAt: time, sendsLeft: z.int(), resendAt: time.optional() };

const awaited = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('token'), ...message, attemptsLeft: z.int() }),
  z.strictObject({ kind: z.literal('reply'), ...message }),
  z.strictObject({ kind: z.literal('images'), biometricsId: z.uuid(), expiresAt: time, url: z.url() }),
  z.strictObject({ kind: z.literal('decision'), biometricsId: z.uuid(), expiresAt: time }),
  z.strictObject({ kind: z.literal('time'), until: time }),
]);

export const flowRun = z.strictObject({
  runId: z.uuid(),
  flow: z.string(),
  version: z.int(),
  status: z.enum(['Running', 'Completed', 'Canceled']),
  step: z.string(),
  awaited: awaited.optional(),
  outcome: z.string().optional(),
  startedAt: time,
  endedAt: time.optional(),
  path: z.array(
    z.strictObject({
      step: z.string(),
      enteredAt: time,
      leftAt: time.optional(),
      exit: z.string().optional(),
      reason: z.string().optional(),
    }),
  ),
});

/** The outcome of a code, and the run after it. */
export const flowAnswered = z.strictObject({
  status: z.enum(['Valid', 'Invalid', 'Blocked', 'Expired', 'Used', 'Superseded']),
  type: z.enum(['Sms', 'Email']),
  createdAt: time,
  expirationTime: time,
  run: flowRun,
});
