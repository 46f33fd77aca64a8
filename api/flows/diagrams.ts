import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { FlowDefinition } from '../../domain/flows/definition';
import type { DrawingOptions } from '../../domain/flows/diagrams';
import { languageHeaders, languageOfRequest } from '../http/language';
import { parseQuery, queryInteger } from '../http/page-query';
import { Problem } from '../http/problem';
import type { ApiRoute, Call, Handler, HandlerResponse, Parameter } from '../http/route';
import { orBusy } from './compute/flow-compute';
import { requestedFlowName, requestedVersion as findRequestedVersion, versionPath } from './flows';
import type { Pool } from '../../platform/postgres/postgres';
import {
  countedRunsMax,
  countEndedRuns,
  countRuns,
  type EndedRunCounts,
  type RunCounts,
  type TenantFlow,
} from '../../store/transactions/flow-runs.sql';
import { named, utcTime } from '../http/openapi/schema-of';
import { runPath } from './runs/responses';

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
export async function readRequestedVersion(call: Call<'flowStore' | 'pool'>) {
  const [name, version] = [requestedFlowName(call), findRequestedVersion(call)];
  const found = await call.dependencies.flowStore.findVersion(call.tenant, name, version, { deleted: true });
  if (!found) throw new Problem('flow_version_not_found');
  const { definition } = found;
  const counted = { version, steps: Object.keys(definition.steps) };
  const count = (days: number) => countRecentRuns(call.dependencies.pool, { tenant: call.tenant, name }, counted, days);
  return { name, version, definition, count };
}

/** The response with a diagram, in the language of the Accept-Language header. */
async function drawFlow(
  call: Call<'config' | 'flowCompute'>,
  flow: FlowDefinition,
  options: DrawingOptions = {},
): Promise<HandlerResponse> {
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
export const readCounts: Handler<'flowStore' | 'pool'> = async (call) => {
  const { days } = parseQuery(call.request.url, { days: queryDays });
  const { name, version, count } = await readRequestedVersion(call);
  const body = { name, version, ...(await count(days)) };
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, body };
};

/** GET …/versions/{version}/diagram.svg: the diagram of a flow version. With `counts`, each step has a number of flow runs. */
export const drawVersion: Handler<'config' | 'flowCompute' | 'flowStore' | 'pool'> = async (call) => {
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
export const drawRun: Handler<'config' | 'flowCompute' | 'flowStore' | 'transactions'> = async (call) => {
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

const dayMs = 86_400_000;

/**
 * Each result is cached for ten times as long as its queries took. So repeated counts with equal parameters keep one database connection
 * busy for at most about a tenth of the time.
 */
const cacheFactor = 10;

/** How many results a process keeps. A result takes about 10 KB. */
const cachedMax = 1_000;

type RecentCounts = RunCounts & { since: string; ended: EndedRunCounts[] };

/** What is counted. */
interface CountRequest extends CountedVersion {
  flow: TenantFlow;
  days: number;
}

const cacheByPool = new WeakMap<Pool, LRUCache<string, RecentCounts, CountRequest>>();

const openCache = (pool: Pool) =>
  new LRUCache<string, RecentCounts, CountRequest>({
    max: cachedMax,
    // The caller gets its counts, even if they are removed from the cache during the queries.
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _known, { context: { flow, version, steps, days }, options }) => {
      const startedMs = performance.now();
      const asked = new Date(Date.now() - days * dayMs);
      const { since, ...counts } = await countRuns(pool, flow, { version, steps, since: asked });
      const ended = await countEndedRuns(pool, flow, version);
      // With 0, the cache would keep the result without a limit.
      options.ttl = Math.max(1, (performance.now() - startedMs) * cacheFactor);
      return { since: since.toISOString(), ...counts, ended };
    },
  });

/** A flow version. `steps`: the names of all its steps. */
interface CountedVersion {
  version: number;
  steps: readonly string[];
}

/**
 * Counts the runs of a flow version that started in the last `days` days, and the runs that ended in the last seven days. If there are more
 * than `countedRunsMax`, counts the newest, and `since` is later. The page of a flow requests this every few seconds, so all viewers share
 * one cached result. The cache time grows with the duration of the query.
 */
export function countRecentRuns(
  pool: Pool,
  flow: TenantFlow,
  { version, steps }: CountedVersion,
  days: number,
): Promise<RecentCounts> {
  const cache = cacheByPool.get(pool) ?? openCache(pool);
  cacheByPool.set(pool, cache);
  const key = JSON.stringify([flow.tenant, flow.name, version, days]);
  return cache.forceFetch(key, { context: { flow, version, steps, days } });
}

/** The diagram of a flow version or a flow run. */
export const diagram = {
  'image/svg+xml': named('Svg', z.string(), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"></svg>'),
};

/** Numbers of flow runs, by the name of a step or outcome. */
const runCounts = named('RunCounts', z.record(z.string(), z.int().min(1)));

export const flowCounts = named(
  'FlowCounts',
  z.strictObject({
    name: z.string(),
    version: z.int().min(1),
    since: utcTime.describe(
      `Counts flow runs that started at this time or later. If more than ${countedRunsMax.toLocaleString('en')} started in the requested days, this is the start of the oldest counted run`,
    ),
    runs: z.int(),
    canceled: z.int(),
    current: runCounts.describe('By step: how many flow runs are at the step now'),
    entered: runCounts.describe('By step: how many flow runs ever entered the step. Each flow run counts once'),
    outcomes: runCounts.describe('By outcome: how many flow runs ended with it'),
    ended: z
      .array(z.strictObject({ day: z.iso.date(), outcomes: runCounts, canceled: z.int() }))
      .describe(
        `For each of the last seven days (UTC), today first: how many flow runs ended on this day, at most the last ${countedRunsMax.toLocaleString('en')}`,
      ),
  }),
  {
    name: 'sms-first',
    version: 1,
    since: '2026-01-24T12:00:00.000Z',
    runs: 40,
    canceled: 1,
    current: { code: 4 },
    entered: { code: 40, confirmed: 35 },
    outcomes: { Confirmed: 35 },
    ended: [{ day: '2026-01-31', outcomes: { Confirmed: 35 }, canceled: 1 }],
  },
);

/** The diagram of a version with its counts; not in SPEC. */
export const diagramRoutes: readonly ApiRoute[] = [
  {
    operationId: 'getFlowVersionDiagram',
    method: 'get',
    path: `${versionPath}/diagram.svg`,
    scope: 'flows:read',
    summary: 'Get the diagram of a version as SVG',
    responses: { 200: diagram },
    localized: true,
    problems: ['validation_failed', 'flow_version_not_found', 'flows_busy'],
    parameters: [countsParameter, daysParameter],
    handler: drawVersion,
  },
  {
    operationId: 'getFlowVersionCounts',
    method: 'get',
    path: `${versionPath}/counts`,
    scope: 'flows:read',
    summary: 'Count the recent runs of a version by step and by outcome, and the ended runs by day',
    responses: { 200: flowCounts },
    problems: ['validation_failed', 'flow_version_not_found'],
    parameters: [daysParameter],
    isLongRead: true,
    handler: readCounts,
  },
];

/** The diagram of a flow run; not in SPEC. */
export const runDiagramRoutes: readonly ApiRoute[] = [
  {
    operationId: 'getFlowRunDiagram',
    method: 'get',
    path: `${runPath}/diagram.svg`,
    scope: 'transaction:read',
    summary: 'Get the diagram of a flow run as SVG, with its path',
    responses: { 200: diagram },
    localized: true,
    problems: ['run_not_found', 'flow_version_not_found', 'flows_busy'],
    handler: drawRun,
  },
];
