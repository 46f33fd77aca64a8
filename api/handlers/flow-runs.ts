import type { TokenAnswer } from '../../domain/answer';
import type { RunView } from '../../domain/flows/view-run';
import { confirmations } from '../../flows/confirmations';
import { digestValue } from '../../platform/codes';
import { Problem } from '../problem';
import type { Call, Handler } from '../route';
import { beginRun } from './begin-run';
import { refusedAnswer, tokenAnswerOf } from './confirmations';
import { orProblem } from './or-problem';
import { shownRun, toldRun } from './shown-run';
import { sourceHeaders } from './transactions';

/** Addresses of pages open the page for whoever has them. */
const headers = { 'Cache-Control': 'no-store' };

/** POST flows/{name}: begins a run, and answers when its first step was begun. */
export const startFlow: Handler = async (call) => {
  const run = await beginRun(call, String(call.request.params['name']), call.idempotencyKey);
  return { status: 201, headers: { ...headers, Location: `/v1/transaction/${call.id}/flows/${run.runId}` }, body: run };
};

/** GET flows: all runs of the transaction, the newest first. */
export const listRuns: Handler = async (call) => {
  const { runs, source } = await call.parts.transactions.readRuns({ tenant: call.tenant, id: call.id });
  const body = runs.map((run) => shownRun(call, run)).toReversed();
  return { status: 200, headers: { ...headers, ...sourceHeaders(source) }, body };
};

const runIdOf = ({ request }: Pick<Call, 'request'>) => String(request.params['runId']);

/** GET flows/{runId}. */
export const readRun: Handler = async (call) => {
  const { runs, source } = await call.parts.transactions.readRuns({ tenant: call.tenant, id: call.id });
  const run = runs.find(({ runId }) => runId === runIdOf(call));
  if (!run) throw new Problem('run_not_found');
  return { status: 200, headers: { ...headers, ...sourceHeaders(source) }, body: toldRun(call, run) };
};

const tokens = confirmations.filter(({ kind }) => kind === 'token').map(({ name }) => name);

/** POST flows/{runId}/answer: tries a value on the code that the run waits for. */
export const answerRun: Handler<{ value: string }> = async (call) => {
  const { parts, tenant, id, body, idempotencyKey } = call;
  const digests = Object.fromEntries(tokens.map((name) => [name, digestValue(parts.keys, id, name, body.value)]));
  const asked = { runId: runIdOf(call), digests };
  const trying = parts.transactions.answerFlow({ tenant, id }, asked, idempotencyKey);
  const { answer, run } = await orProblem(trying.catch((error: unknown) => lateAnswer(call, refusedAnswer(error))));
  const left = answer.attemptsRemaining;
  return {
    status: 200,
    headers: { ...headers, ...(left === undefined ? {} : { 'X-Attempts-Remaining': String(left) }) },
    body: { ...tokenAnswerOf(answer), run: toldRun(call, run) },
  };
};

/** What is answered when a code is over and its run is about to move on. */
async function lateAnswer(call: Call, answer: TokenAnswer) {
  return { answer, run: await runIn(call) };
}

async function runIn(call: Call): Promise<RunView> {
  const { runs } = await call.parts.transactions.readRuns({ tenant: call.tenant, id: call.id });
  const run = runs.find(({ runId }) => runId === runIdOf(call));
  if (!run) throw new Problem('run_not_found');
  // What is refused after this names it too.
  call.logRun(run);
  return run;
}

/** POST flows/{runId}/resend: sends the message of the step that waits once more. */
export const resendRun: Handler = async (call) => {
  const { parts, tenant, id, idempotencyKey } = call;
  const resending = parts.transactions.resendFlow({ tenant, id }, runIdOf(call), idempotencyKey);
  const run = await resending.catch(async (error: unknown) => {
    const { awaited } = await runIn(call);
    const channel = awaited && 'channel' in awaited ? awaited.channel : undefined;
    return orProblem(Promise.reject<RunView>(error), channel);
  });
  return { status: 200, headers, body: toldRun(call, run) };
};

/** POST flows/{runId}/cancel: ends the run where it is. */
export const cancelRun: Handler = async (call) => {
  const { parts, tenant, id, idempotencyKey } = call;
  const run = await orProblem(parts.transactions.cancelFlow({ tenant, id }, runIdOf(call), idempotencyKey));
  return { status: 200, headers, body: toldRun(call, run) };
};
