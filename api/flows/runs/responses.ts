import { z } from 'zod';
import { capability, utcTime } from '../../http/response-fields';

const channel = z.enum(['sms', 'email', 'whatsapp']);

const awaitedMessageFields = { channel, expiresAt: utcTime, sendsLeft: z.int(), resendAt: utcTime.optional() };

const awaitedImages = z.strictObject({ kind: z.literal('images'), biometricsId: z.uuid(), expiresAt: utcTime });

const awaitedOf = <Images extends typeof awaitedImages>(images: Images) =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('token'), ...awaitedMessageFields, attemptsLeft: z.int() }),
    z.strictObject({ kind: z.literal('reply'), ...awaitedMessageFields }),
    images,
    z.strictObject({ kind: z.literal('decision'), biometricsId: z.uuid(), expiresAt: utcTime }),
    z.strictObject({ kind: z.literal('time'), until: utcTime }),
  ]);

const awaited = awaitedOf(awaitedImages.extend({ url: capability(z.url(), 'biometrics:link').optional() }));

export const flowRun = z.strictObject({
  runId: z.uuid(),
  flow: z.string(),
  version: z.int(),
  status: z.enum(['Running', 'Completed', 'Canceled']),
  step: z.string(),
  awaited: awaited.optional(),
  outcome: z.string().optional(),
  startedAt: utcTime,
  endedAt: utcTime.optional(),
  path: z.array(
    z.strictObject({
      step: z.string(),
      enteredAt: utcTime,
      leftAt: utcTime.optional(),
      exit: z.string().optional(),
      reason: z.string().optional(),
    }),
  ),
});

/** A run without the URL of its hosted page. */
export const flowRunWithoutUrl = flowRun.extend({ awaited: awaitedOf(awaitedImages).optional() });

/** Whether the code is valid, and the run after the answer. */
export const flowAnswer = z.strictObject({
  status: z.enum(['Valid', 'Invalid', 'Blocked', 'Expired', 'Used', 'Superseded', 'Failed']),
  type: z.enum(['Sms', 'Email']),
  createdAt: utcTime,
  expirationTime: utcTime,
  run: flowRun,
});
