import type { RunView } from '../../../domain/flows/view-run';
import { Problem } from '../../http/problem';
import type { ApiRoute, Call, Handler } from '../../http/route';
import { flowRun, headers, logRunAndBuildBody, runBody, runPath, runsPath } from './responses';
import { readHeaders } from '../../transactions/transactions';
import { z } from 'zod';

/** GET …/flows: all flow runs of the transaction, newest first. */
export const listRuns: Handler<'config' | 'keys' | 'transactions'> = async (call) => {
  const read = await call.dependencies.transactions.read({ tenant: call.tenant, id: call.id });
  const body = read.view.flowRuns.map((run) => runBody(call, run)).toReversed();
  return { status: 200, headers: { ...headers, ...readHeaders(read) }, body };
};

export const runIdOf = ({ request }: Pick<Call, 'request'>) => String(request.params['runId']);

/** GET …/flows/runs/{runId}: one flow run. Throws run_not_found. */
export const readRun: Handler<'config' | 'keys' | 'transactions'> = async (call) => {
  const read = await call.dependencies.transactions.read({ tenant: call.tenant, id: call.id });
  const run = read.view.flowRuns.find(({ runId }) => runId === runIdOf(call));
  if (!run) throw new Problem('run_not_found');
  return { status: 200, headers: { ...headers, ...readHeaders(read) }, body: logRunAndBuildBody(call, run) };
};

/** Reads the flow run in the path, and adds it to the log line of the request. Throws run_not_found. */
export async function requireRun(call: Call<'transactions'>): Promise<RunView> {
  const { view } = await call.dependencies.transactions.read({ tenant: call.tenant, id: call.id });
  const run = view.flowRuns.find(({ runId }) => runId === runIdOf(call));
  if (!run) throw new Problem('run_not_found');
  // If the request fails after this line, its log line still has the flow run.
  call.logRun(run);
  return run;
}

/** Flow runs; not in SPEC. */
export const runRoutes: readonly ApiRoute[] = [
  {
    operationId: 'listFlowRuns',
    method: 'get',
    path: runsPath,
    scope: 'transaction:read',
    summary: 'List the flow runs of the transaction, newest first',
    responses: { 200: z.array(flowRun) },
    provides: { runId: '$response.body#/0/runId' },
    responseHeaders: ['X-Countersign-Status', 'X-Countersign-Source'],
    handler: listRuns,
  },
  {
    operationId: 'getFlowRun',
    method: 'get',
    path: runPath,
    scope: 'transaction:read',
    summary: 'Get a flow run: status, path, what it waits for, outcome',
    responses: { 200: flowRun },
    problems: ['run_not_found'],
    responseHeaders: ['X-Countersign-Status', 'X-Countersign-Source'],
    handler: readRun,
  },
];
