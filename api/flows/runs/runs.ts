import type { RunView } from '../../../domain/flows/view-run';
import { confirmations } from '../../../flows/confirmations';
import { digestTypedCode } from '../../../platform/codes';
import * as contract from '../../../workflows/contract';
import { Problem } from '../../http/problem';
import type { Call, Handler } from '../../http/route';
import { startFlowRun } from './start-run';
import { toClosedTokenResult, codeResultBody } from '../../temporal/code-result';
import { CommandRejected, readHeaders } from '../../temporal/transactions';
import { throwAsProblem } from '../../temporal/throw-as-problem';
import { runBody, logRunAndBuildBody } from './run-body';

/** A run may contain the URL of a hosted page, which must not be cached. */
const headers = { 'Cache-Control': 'no-store' };

/** POST flows/{name}: starts a run, and responds once its first step has started. */
export const startRun: Handler = async (call) => {
  const run = await startFlowRun(call, String(call.request.params['name']), call.idempotencyKey);
  return {
    status: 201,
    headers: { ...headers, Location: `/v1/transaction/${call.id}/flows/runs/${run.runId}` },
    body: run,
  };
};

/** GET flows: all runs of the transaction, newest first. */
export const listRuns: Handler = async (call) => {
  const read = await call.dependencies.transactions.read({ tenant: call.tenant, id: call.id });
  const body = read.view.flowRuns.map((run) => runBody(call, run)).toReversed();
  return { status: 200, headers: { ...headers, ...readHeaders(read) }, body };
};

const runIdOf = ({ request }: Pick<Call, 'request'>) => String(request.params['runId']);

/** GET flows/runs/{runId}. */
export const readRun: Handler = async (call) => {
  const read = await call.dependencies.transactions.read({ tenant: call.tenant, id: call.id });
  const run = read.view.flowRuns.find(({ runId }) => runId === runIdOf(call));
  if (!run) throw new Problem('run_not_found');
  return { status: 200, headers: { ...headers, ...readHeaders(read) }, body: logRunAndBuildBody(call, run) };
};

/**
 * The digest depends on the name of the confirmation settings (sms-token or email-token). Only the workflow knows which one applies,
 * so the API sends a digest for each name.
 */
const tokenNames = confirmations.filter(({ kind }) => kind === 'token').map(({ name }) => name);

/** POST flows/runs/{runId}/answer: validates the code that the run waits for. */
export const answerRun: Handler<{ value: string }> = async (call) => {
  const { dependencies, tenant, id, body, idempotencyKey } = call;
  const digests = Object.fromEntries(
    tokenNames.map((name) => [name, digestTypedCode(dependencies.keys, id, name, body.value)]),
  );
  const runId = runIdOf(call);
  const pendingAnswer = dependencies.transactions.send({ tenant, id }, contract.checkFlowCode, {
    input: { runId, digests },
    identity: [runId, digests],
    idempotencyKey,
  });
  const { answer, run } = await throwAsProblem(
    pendingAnswer.catch(async (error: unknown) => ({
      answer: toClosedTokenResult(error),
      run: await findRun(call),
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

async function findRun(call: Call): Promise<RunView> {
  const { view } = await call.dependencies.transactions.read({ tenant: call.tenant, id: call.id });
  const run = view.flowRuns.find(({ runId }) => runId === runIdOf(call));
  if (!run) throw new Problem('run_not_found');
  // The request may fail after this. Its log line then still has the run.
  call.logRun(run);
  return run;
}

/** POST flows/runs/{runId}/resend: resends the message of the current step. */
export const resendRun: Handler = async (call) => {
  const { dependencies, tenant, id, idempotencyKey } = call;
  const runId = runIdOf(call);
  const pendingRun = dependencies.transactions.send({ tenant, id }, contract.resendFlow, {
    input: { runId },
    identity: [runId],
    idempotencyKey,
  });
  const run = await pendingRun.catch(async (error: unknown) => {
    // The channel and the log line are only details of the error. If the run cannot be read, the error stays the same.
    const currentRun = error instanceof CommandRejected ? await findRun(call).catch(() => undefined) : undefined;
    const awaited = currentRun?.awaited;
    const channel = awaited && 'channel' in awaited ? awaited.channel : undefined;
    return throwAsProblem(Promise.reject<RunView>(error), channel);
  });
  return { status: 200, headers, body: logRunAndBuildBody(call, run) };
};

/** POST flows/runs/{runId}/cancel. */
export const cancelRun: Handler = async (call) => {
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
