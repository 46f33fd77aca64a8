import { z } from 'zod';
import type { FlowDefinition } from '../../domain/flows/definition';
import type { DrawingOptions } from '../../domain/flows/diagrams';
import { countRecentRuns } from './store/count-recent-runs';
import { languageHeaders, languageOfRequest } from '../http/language';
import { parseQuery, queryInteger } from '../http/page-query';
import { Problem } from '../http/problem';
import type { HandlerResponse, Call, Handler, Parameter } from '../http/route';
import { orBusy } from './compute/flow-compute';
import { requestedFlowName, requestedVersion as findRequestedVersion } from './flows';

const daysDefault = 7;
const daysMax = 90;

export const daysParameter: Parameter = {
  name: 'days',
  in: 'query',
  description: 'How many days to look back. Only flow runs that started in these days are included',
  schema: { type: 'integer', minimum: 1, maximum: daysMax, default: daysDefault },
};

export const countsParameter: Parameter = {
  name: 'counts',
  in: 'query',
  description:
    'Adds a number to each step. `current`: flow runs that are at the step now. `entered`: flow runs that ever entered the step',
  schema: { enum: ['current', 'entered'] },
};

/** The value of `days` in a query. */
export const queryDays = queryInteger({ max: daysMax, fallback: daysDefault });

/**
 * Finds the flow version in the path, even if it is deleted, because its flow runs continue. `count`: counts the flow runs of this version
 * that started in the last `days` days. Throws flow_version_not_found.
 */
export async function readRequestedVersion(call: Call) {
  const [name, version] = [requestedFlowName(call), findRequestedVersion(call)];
  const found = await call.dependencies.flowStore.findVersion(call.tenant, name, version, { deleted: true });
  if (!found) throw new Problem('flow_version_not_found');
  const { definition } = found;
  const counted = { version, steps: Object.keys(definition.steps) };
  const count = (days: number) => countRecentRuns(call.dependencies.pool, { tenant: call.tenant, name }, counted, days);
  return { name, version, definition, count };
}

/** The response with a diagram, in the language of the Accept-Language header. */
async function drawFlow(call: Call, flow: FlowDefinition, options: DrawingOptions = {}): Promise<HandlerResponse> {
  const { dependencies, tenant } = call;
  const language = languageOfRequest(call);
  const headers = { 'Content-Type': 'image/svg+xml; charset=utf-8', 'Cache-Control': 'no-store' };
  return {
    status: 200,
    headers: { ...headers, ...languageHeaders(language) },
    text: await orBusy(dependencies.flowCompute.run(tenant, 'draw', { flow, options: { ...options, language } })),
  };
}

/** GET …/versions/{version}/counts: counts the flow runs that started in the last `days` days, by step and by outcome. */
export const readCounts: Handler = async (call) => {
  const { days } = parseQuery(call.request.url, { days: queryDays });
  const { name, version, count } = await readRequestedVersion(call);
  const body = { name, version, ...(await count(days)) };
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, body };
};

/** GET …/versions/{version}/diagram.svg: the diagram of a flow version. With `counts`, each step has a number of flow runs. */
export const drawVersion: Handler = async (call) => {
  const { counts: countKind, days } = parseQuery(call.request.url, {
    counts: z.enum(['current', 'entered'], 'must be current or entered').optional(),
    days: queryDays,
  });
  const { definition, count } = await readRequestedVersion(call);
  if (countKind === undefined) return drawFlow(call, definition);
  const { current, entered } = await count(days);
  return drawFlow(call, definition, { counts: countKind === 'current' ? current : entered });
};

/** GET …/flows/runs/{runId}/diagram.svg: the diagram of the flow version of this flow run, with the path of the flow run. */
export const drawRun: Handler = async (call) => {
  const { dependencies, tenant, id, request } = call;
  const { view } = await dependencies.transactions.read({ tenant, id });
  const run = view.flowRuns.find(({ runId }) => runId === request.params['runId']);
  if (!run) throw new Problem('run_not_found');
  call.logRun(run);
  const definition = await dependencies.flowStore.findDefinition(tenant, run.flow, run.version);
  if (!definition) throw new Problem('flow_version_not_found');
  const { path, status, step } = run;
  return drawFlow(call, definition, { path, ...(status === 'Running' ? { current: step } : {}) });
};
