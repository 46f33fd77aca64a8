import { z } from 'zod';
import { answerStatus } from '../../confirmations/responses';
import { exampleOf, named, sample } from '../../http/openapi/schema-of';
import { channel, sensitive, utcTime } from '../../http/response-fields';

/** The fields of a code or a question that the person has not answered. */
export const awaitedMessageFields = {
  channel,
  expiresAt: utcTime,
  sendsLeft: z.int(),
  resendAt: utcTime.optional(),
};

const awaitedCode = named(
  'AwaitedCode',
  z.strictObject({ kind: z.literal('token'), ...awaitedMessageFields, attemptsLeft: z.int() }),
);

const awaitedReply = named('AwaitedReply', z.strictObject({ kind: z.literal('reply'), ...awaitedMessageFields }));

/** A flow run that waits for images, without the URL of the hosted page. */
export const awaitedImages = named(
  'AwaitedImages',
  z.strictObject({ kind: z.literal('images'), biometricsId: z.uuid(), expiresAt: utcTime }),
);

const awaitedLink = named(
  'AwaitedLink',
  awaitedImages.extend({ url: sensitive(z.url(), 'biometrics:link').optional() }),
);

const awaitedDecision = named(
  'AwaitedDecision',
  z.strictObject({ kind: z.literal('decision'), biometricsId: z.uuid(), expiresAt: utcTime }),
);

const awaitedTime = named('AwaitedTime', z.strictObject({ kind: z.literal('time'), until: utcTime }));

/** What a flow run waits for. `images`: the schema for the wait for images, with or without the URL of the hosted page. */
const awaitedOf = <Images extends typeof awaitedImages>(images: Images) =>
  z.discriminatedUnion('kind', [awaitedCode, awaitedReply, images, awaitedDecision, awaitedTime]);

const runStep = named(
  'FlowRunStep',
  z.strictObject({
    step: z.string(),
    enteredAt: utcTime,
    leftAt: utcTime.optional(),
    exit: z.string().optional(),
    reason: z.string().optional(),
  }),
);

const startedAt = '2026-01-31T12:00:00.000Z';

export const runStatus = named('FlowRunStatus', z.enum(['Running', 'Completed', 'Canceled']));

export const flowRun = named(
  'FlowRun',
  z.strictObject({
    runId: z.uuid(),
    flow: z.string(),
    version: z.int(),
    status: runStatus,
    step: z.string(),
    awaited: awaitedOf(awaitedLink).optional(),
    outcome: z.string().optional(),
    startedAt: utcTime,
    endedAt: utcTime.optional(),
    path: z.array(runStep),
  }),
  {
    runId: sample.runId,
    flow: 'sms-token',
    version: 1,
    status: 'Running',
    step: 'code',
    awaited: {
      kind: 'token',
      channel: 'sms',
      expiresAt: '2026-01-31T12:05:00.000Z',
      sendsLeft: 2,
      resendAt: '2026-01-31T12:01:00.000Z',
      attemptsLeft: 5,
    },
    startedAt,
    path: [{ step: 'code', enteredAt: startedAt }],
  },
);

/** A flow run without the URL of its hosted page. */
export const flowRunWithoutUrl = named(
  'FlowRunWithoutUrl',
  flowRun.extend({ awaited: awaitedOf(awaitedImages).optional() }),
  exampleOf(flowRun),
);

/** The response to a code: whether the code is valid, and the flow run after the answer. */
export const flowAnswer = named(
  'FlowAnswer',
  z.strictObject({
    status: answerStatus,
    type: z.enum(['Sms', 'Email']),
    createdAt: utcTime,
    expirationTime: utcTime,
    run: flowRun,
  }),
  {
    status: 'Invalid',
    type: 'Sms',
    createdAt: startedAt,
    expirationTime: '2026-01-31T12:05:00.000Z',
    run: exampleOf(flowRun),
  },
);
