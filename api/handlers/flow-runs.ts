import type { TokenAnswer } from '../../domain/answer';
import type { FlowDefinition } from '../../domain/flows/definition';
import type { RunPlan } from '../../domain/flows/run';
import type { RunView } from '../../domain/flows/view-run';
import { confirmations } from '../../flows/confirmations';
import { biometricsUrlOf } from '../../platform/config';
import { digestValue } from '../../platform/codes';
import { biometricsPath, biometricsToken } from '../../platform/links';
import type { Target } from '../transactions';
import { activeFlow } from '../flows/active-flow';
import { faultsHere } from '../flows/faults-here';
import { flowInvalid } from '../flows/flow-invalid';
import { runPlanOf } from '../flows/run-plan';
import { Problem } from '../problem';
import { idsProposedBefore, proposedIds } from '../proposed-ids';
import type { Call, Handler } from '../route';
import { refusedAnswer, tokenAnswerOf } from './confirmations';
import { orElse, orProblem } from './or-problem';
import { sourceHeaders } from './transactions';

/** Addresses of pages open the page for whoever has them. */
const headers = { 'Cache-Control': 'no-store' };

/** A run as callers see it: a link by its address. */
function shownRun({ parts, tenant, id }: Pick<Call, 'parts' | 'tenant' | 'id'>, run: RunView) {
  const { awaited } = run;
  if (awaited?.kind !== 'pictures') return run;
  const { biometricsId, ...rest } = awaited;
  const path = biometricsPath(biometricsToken(parts.keys, { tenant, transactionId: id, biometricsId }));
  return { ...run, awaited: { ...rest, biometricsId, url: new URL(path, biometricsUrlOf(parts.config)).href } };
}

/** The run that a request was about, which the log's line of it names. */
function toldRun(call: Pick<Call, 'parts' | 'tenant' | 'id' | 'logRun'>, run: RunView) {
  call.logRun(run);
  return shownRun(call, run);
}

/** The plan of a flow that may name a text which is gone since the flow was made. Throws flow_invalid. */
function planOf(parts: Call['parts'], target: Target, flow: FlowDefinition, key: string | undefined): RunPlan {
  try {
    return runPlanOf(parts, target, flow, proposedIds(parts.keys, target, key));
  } catch (error) {
    const faults = faultsHere(flow);
    if (faults.length === 0) throw error;
    throw flowInvalid(faults);
  }
}

/** The run of a flow that a key began, as it is now; undefined when it began none. Throws idempotency_conflict for another flow. */
async function begunBefore({ parts, tenant, id }: Beginning, name: string, key: string): Promise<RunView | undefined> {
  const target = { tenant, id };
  const ids = idsProposedBefore(parts.keys, target, key, 'run');
  const { runs } = await parts.transactions.readRuns(target);
  const run = runs.find(({ runId }) => ids.includes(runId));
  if (run && run.flow !== name) throw new Problem('idempotency_conflict');
  return run;
}

type Beginning = Pick<Call, 'parts' | 'tenant' | 'id' | 'logRun'>;

/** Begins a run of what is active under a name. What a key has begun is answered though its flow is active no more. */
export async function beginRun(call: Beginning, name: string, key?: string) {
  const { parts, tenant, id } = call;
  const target = { tenant, id };
  const active = await orElse(activeFlow(parts.flowStore, tenant, name), async () =>
    key === undefined ? undefined : begunBefore(call, name, key),
  );
  if ('runId' in active) return toldRun(call, active);
  call.logRun({ flow: active.name, version: active.version });
  const run = await orProblem(parts.transactions.startFlow(target, planOf(parts, target, active, key), key));
  return toldRun(call, run);
}

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
