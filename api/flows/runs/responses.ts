import { z } from 'zod';
import { channel, exampleOf, named, sample, sensitive, utcTime } from '../../http/openapi/schema-of';
import type { RunView } from '../../../domain/flows/view-run';
import { type Call, transactionPath } from '../../http/route';
import { biometricsPath, biometricsToken } from '../../../messages/links';

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

export const startedAt = '2026-01-31T12:00:00.000Z';

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

type BodyCall = Pick<Call<'config' | 'keys'>, 'dependencies' | 'tenant' | 'id' | 'hasScope'>;

/**
 * Returns a flow run as the body of a response. If the flow run waits for images, the body has the URL of the biometrics link. Only
 * callers with the scope to create links get this URL, because with the URL anybody can act as the person.
 */
export function runBody({ dependencies, tenant, id, hasScope }: BodyCall, run: RunView) {
  const { awaited } = run;
  if (awaited?.kind !== 'images' || !hasScope('biometrics:link')) return run;
  const { biometricsId, ...otherFields } = awaited;
  const path = biometricsPath(biometricsToken(dependencies.keys, { tenant, transactionId: id, biometricsId }));
  return { ...run, awaited: { ...otherFields, biometricsId, url: new URL(path, dependencies.config.PUBLIC_URL).href } };
}

/** Does the same as runBody, and adds the flow run to the log line of the request. */
export function logRunAndBuildBody(call: BodyCall & Pick<Call, 'logRun'>, run: RunView) {
  call.logRun(run);
  return runBody(call, run);
}

/** A flow run may contain the URL of a hosted page. This URL must not be cached. */
export const headers = { 'Cache-Control': 'no-store' };

export const runsPath = `${transactionPath}/flows`;

export const runPath = `${runsPath}/runs/{runId}`;
