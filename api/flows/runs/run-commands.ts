import * as contract from '../../../workflows/contract/commands';
import type { RunView } from '../../../domain/flows/view-run';
import { confirmations } from '../../../flows/confirmations';
import { digestTypedCode } from '../../../messages/codes';
import { type ApiRoute, type Handler, withBody } from '../../http/route';
import { flowRun, headers, logRunAndBuildBody, runPath, startedAt } from './responses';
import { codeResultBody, toResultWithoutAttempt } from '../../confirmations/validate-token';
import { CommandRejected, throwAsProblem } from '../../transactions/transactions';
import { givenValues, hashOfValues } from './run-values';
import { requireRun, runIdOf } from './runs';
import { valueBody } from '../../http/body/fields';
import { z } from 'zod';
import { answerStatus } from '../../confirmations/responses';
import { exampleOf, named, utcTime } from '../../http/openapi/schema-of';

/**
 * The names of all token confirmations. The digest of a code depends on the name of its confirmation (sms-token or email-token). Only the
 * workflow knows which confirmation waits for the code, so the API sends a digest for each name.
 */
const tokenNames = confirmations.filter(({ kind }) => kind === 'token').map(({ name }) => name);

/** The body of a request to validate the code of a flow run. */
const answerBody = named(
  'FlowRunAnswer',
  valueBody.body().extend({
    values: givenValues.optional().describe('The values with which the flow run started, if its flow has values.'),
  }),
);

/** POST …/flows/runs/{runId}/answer: validates the code that the flow run waits for. */
export const answerRun: Handler<'config' | 'keys' | 'transactions', z.output<typeof answerBody>> = async (call) => {
  const { dependencies, tenant, id, body, idempotencyKey } = call;
  const valuesHash = body.values && hashOfValues(body.values);
  const digests = Object.fromEntries(
    tokenNames.map((name) => [name, digestTypedCode(dependencies.keys, id, name, body.value, valuesHash)]),
  );
  const runId = runIdOf(call);
  const pendingAnswer = dependencies.transactions.send({ tenant, id }, contract.checkFlowCode, {
    input: { runId, digests, digits: body.value.length, ...(valuesHash === undefined ? {} : { valuesHash }) },
    identity: [runId, digests],
    idempotencyKey,
  });
  const { answer, run } = await throwAsProblem(
    pendingAnswer.catch(async (error: unknown) => ({
      answer: toResultWithoutAttempt(error),
      run: await requireRun(call),
    })),
  );
  const attemptsRemaining = answer.attemptsRemaining;
  return {
    status: 200,
    headers: {
      ...headers,
      ...(attemptsRemaining === undefined ? {} : { 'X-Attempts-Remaining': String(attemptsRemaining) }),
    },
    body: { ...codeResultBody(answer), run: logRunAndBuildBody(call, run) },
  };
};

/** POST …/flows/runs/{runId}/resend: resends the message of the current step. */
export const resendRun: Handler<'config' | 'keys' | 'transactions'> = async (call) => {
  const { dependencies, tenant, id, idempotencyKey } = call;
  const runId = runIdOf(call);
  const pendingRun = dependencies.transactions.send({ tenant, id }, contract.resendFlow, {
    input: { runId },
    identity: [runId],
    idempotencyKey,
  });
  const run = await pendingRun.catch(async (error: unknown) => {
    // Reads the flow run for two reasons: the error gets the channel of the flow run, and the log line gets its id. If the flow run cannot
    // be read, the error stays as it is.
    const currentRun = error instanceof CommandRejected ? await requireRun(call).catch(() => undefined) : undefined;
    const awaited = currentRun?.awaited;
    const channel = awaited && 'channel' in awaited ? awaited.channel : undefined;
    return throwAsProblem(Promise.reject<RunView>(error), channel);
  });
  return { status: 200, headers, body: logRunAndBuildBody(call, run) };
};

/** POST …/flows/runs/{runId}/cancel: cancels the flow run. */
export const cancelFlowRun: Handler<'config' | 'keys' | 'transactions'> = async (call) => {
  const { dependencies, tenant, id, idempotencyKey } = call;
  const runId = runIdOf(call);
  const pendingRun = dependencies.transactions.send({ tenant, id }, contract.cancelFlow, {
    input: { runId },
    identity: [runId],
    idempotencyKey,
  });
  const run = await throwAsProblem(pendingRun);
  return { status: 200, headers, body: logRunAndBuildBody(call, run) };
};

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

/** Commands of a flow run; not in SPEC. */
export const runCommandRoutes: readonly ApiRoute[] = [
  withBody({
    operationId: 'answerFlowRun',
    method: 'post',
    path: `${runPath}/answer`,
    scope: 'confirmation:validate',
    summary: 'Validate the code that the run waits for; `status` is the result',
    ...valueBody,
    body: () => answerBody,
    example: { value: '123456' },
    responses: { 200: flowAnswer },
    problems: ['idempotency_conflict', 'run_not_found', 'run_ended', 'nothing_to_answer', 'values_mismatch'],
    responseHeaders: ['X-Attempts-Remaining'],
    handler: answerRun,
  }),
  {
    operationId: 'resendFlowRun',
    method: 'post',
    path: `${runPath}/resend`,
    scope: 'confirmation:send',
    summary: 'Resend the message of the current step',
    responses: { 200: flowRun },
    problems: [
      'idempotency_conflict',
      'run_not_found',
      'run_ended',
      'transaction_denied',
      'nothing_to_answer',
      'country_not_allowed',
      'destination_refused',
      'destination_opted_out',
      'destination_denied',
      'person_denied',
      'provider_refused',
      'resend_too_soon',
      'send_limit_reached',
      'transaction_send_limit_reached',
      'attempt_limit_reached',
      'phone_daily_limit',
      'tenant_daily_limit',
      'prefix_blocked',
      'phone_not_allowed',
      'no_provider',
      'email_daily_limit',
    ],
    handler: resendRun,
  },
  {
    operationId: 'cancelFlowRun',
    method: 'post',
    path: `${runPath}/cancel`,
    scope: 'confirmation:send',
    summary: 'Cancel a flow run, and close its open confirmation or link',
    responses: { 200: flowRun },
    problems: ['idempotency_conflict', 'run_not_found', 'run_ended'],
    handler: cancelFlowRun,
  },
];
