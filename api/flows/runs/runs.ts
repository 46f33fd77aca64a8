import type { RunView } from '../../../domain/flows/view-run';
import { confirmations } from '../../../flows/confirmations';
import { digestTypedCode } from '../../../messages/codes';
import * as contract from '../../../workflows/contract';
import { Problem } from '../../http/problem';
import type { Call, Handler } from '../../http/route';
import { startFlowRun } from './start-run';
import { toResultWithoutAttempt, codeResultBody } from '../../temporal/code-result';
import { CommandRejected, readHeaders } from '../../temporal/transactions';
import { throwAsProblem } from '../../temporal/throw-as-problem';
import { runBody, logRunAndBuildBody } from './run-body';

/** A flow run may contain the URL of a hosted page. This URL must not be cached. */
const headers = { 'Cache-Control': 'no-store' };

/** POST …/flows/{name}: starts a flow run. Responds after the first step of the flow run has started. */
export const startRun: Handler = async (call) => {
  const run = await startFlowRun(call, String(call.request.params['name']), call.idempotencyKey);
  return {
    status: 201,
    headers: { ...headers, Location: `/v1/transaction/${call.id}/flows/runs/${run.runId}` },
    body: run,
  };
};

/** GET …/flows: all flow runs of the transaction, newest first. */
export const listRuns: Handler = async (call) => {
  const read = await call.dependencies.transactions.read({ tenant: call.tenant, id: call.id });
  const body = read.view.flowRuns.map((run) => runBody(call, run)).toReversed();
  return { status: 200, headers: { ...headers, ...readHeaders(read) }, body };
};

const runIdOf = ({ request }: Pick<Call, 'request'>) => String(request.params['runId']);

/** GET …/flows/runs/{runId}: one flow run. Throws run_not_found. */
export const readRun: Handler = async (call) => {
  const read = await call.dependencies.transactions.read({ tenant: call.tenant, id: call.id });
  const run = read.view.flowRuns.find(({ runId }) => runId === runIdOf(call));
  if (!run) throw new Problem('run_not_found');
  return { status: 200, headers: { ...headers, ...readHeaders(read) }, body: logRunAndBuildBody(call, run) };
};

/**
 * The names of all token confirmations. The digest of a code depends on the name of its confirmation (sms-token or email-token). Only the
 * workflow knows which confirmation waits for the code, so the API sends a digest for each name.
 */
const tokenNames = confirmations.filter(({ kind }) => kind === 'token').map(({ name }) => name);

/** POST …/flows/runs/{runId}/answer: validates the code that the flow run waits for. */
export const answerRun: Handler<{ value: string }> = async (call) => {
  const { dependencies, tenant, id, body, idempotencyKey } = call;
  const digests = Object.fromEntries(
    tokenNames.map((name) => [name, digestTypedCode(dependencies.keys, id, name, body.value)]),
  );
  const runId = runIdOf(call);
  const pendingAnswer = dependencies.transactions.send({ tenant, id }, contract.checkFlowCode, {
    input: { runId, digests, digits: body.value.length },
    identity: [runId, digests],
    idempotencyKey,
  });
  const { answer, run } = await throwAsProblem(
    pendingAnswer.catch(async (error: unknown) => ({
      answer: toResultWithoutAttempt(error),
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

/** Reads the flow run in the path, and adds it to the log line of the request. Throws run_not_found. */
async function findRun(call: Call): Promise<RunView> {
  const { view } = await call.dependencies.transactions.read({ tenant: call.tenant, id: call.id });
  const run = view.flowRuns.find(({ runId }) => runId === runIdOf(call));
  if (!run) throw new Problem('run_not_found');
  // If the request fails after this line, its log line still has the flow run.
  call.logRun(run);
  return run;
}

/** POST …/flows/runs/{runId}/resend: resends the message of the current step. */
export const resendRun: Handler = async (call) => {
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
    const currentRun = error instanceof CommandRejected ? await findRun(call).catch(() => undefined) : undefined;
    const awaited = currentRun?.awaited;
    const channel = awaited && 'channel' in awaited ? awaited.channel : undefined;
    return throwAsProblem(Promise.reject<RunView>(error), channel);
  });
  return { status: 200, headers, body: logRunAndBuildBody(call, run) };
};

/** POST …/flows/runs/{runId}/cancel: cancels the flow run. */
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
