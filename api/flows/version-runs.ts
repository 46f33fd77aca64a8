import { z } from 'zod';
import type { FlowDefinition } from '../../domain/flows/definition';
import { outcomesOf } from '../../domain/flows/run';
import { findRuns, type RunFilter, type RunRow } from '../../store/transactions/flow-runs.sql';
import { parseQuery, queryInteger } from '../http/page-query';
import { Problem } from '../http/problem';
import type { ApiRoute, Handler, Parameter } from '../http/route';
import { daysParameter, queryDays, readRequestedVersion } from './diagrams';
import { named, sample, utcTime } from '../http/openapi/schema-of';
import { runStatus } from './runs/responses';
import { versionPath } from './flows';

const dayMs = 86_400_000;

/** Maximum number of flow runs in one response. */
const runsMax = 50;

const queryParameter = (
  name: string,
  description: string,
  schema: Parameter['schema'] = { type: 'string' },
): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
});

export const runsParameters: readonly Parameter[] = [
  queryParameter(
    'step',
    'Only flow runs that entered this step. With `counts=current`: only flow runs that are at the step now',
  ),
  queryParameter(
    'counts',
    'Only with `step`. `entered`: flow runs that ever entered the step. `current`: flow runs that are at the step now',
    {
      enum: ['entered', 'current'],
      default: 'entered',
    },
  ),
  queryParameter('outcome', 'Only flow runs that ended with this outcome'),
  queryParameter('status', 'Only flow runs with this status. With `Running`, `days` has no effect', {
    enum: ['Running', 'Completed', 'Canceled'],
  }),
  daysParameter,
  queryParameter('limit', 'Maximum number of items', {
    type: 'integer',
    minimum: 1,
    maximum: runsMax,
    default: runsMax,
  }),
];

const runsQuery = {
  step: z.string().optional(),
  counts: z.enum(['current', 'entered'], 'must be current or entered, and can only be sent with step').optional(),
  outcome: z.string().optional(),
  status: z.enum(['Running', 'Completed', 'Canceled'], 'must be Running, Completed or Canceled').optional(),
  days: queryDays,
  limit: queryInteger({ max: runsMax, fallback: runsMax }),
};

type RunsQuery = z.output<z.ZodObject<typeof runsQuery>>;

/** Throws validation_failed with all values that do not fit together or to the definition. */
function checkFilter({ step, outcome, status, counts }: RunsQuery, { steps }: FlowDefinition): void {
  const stepIssues = [
    ...([step, outcome, status].filter((given) => given !== undefined).length > 1
      ? ['must not be combined with outcome or status; send one of the three']
      : []),
    ...(step !== undefined && !Object.hasOwn(steps, step) ? ['is not a step of this version'] : []),
  ];
  const errors = {
    ...(stepIssues.length > 0 && { step: stepIssues }),
    ...(counts !== undefined && step === undefined && { counts: ['can only be sent with step'] }),
    ...(outcome !== undefined &&
      !outcomesOf({ steps }).includes(outcome) && { outcome: ['is not an outcome of this version'] }),
  };
  if (Object.keys(errors).length > 0) throw new Problem('validation_failed', { errors });
}

const filtersByStatus = {
  Running: { kind: 'running' },
  Completed: { kind: 'completed' },
  Canceled: { kind: 'canceled' },
} as const satisfies Record<string, RunFilter>;

/** Returns which flow runs the caller wants. */
function filterOf({ step, outcome, status, counts }: RunsQuery): RunFilter {
  if (step !== undefined) return { kind: counts ?? 'entered', step };
  if (outcome !== undefined) return { kind: 'outcome', outcome };
  return status === undefined ? { kind: 'all' } : filtersByStatus[status];
}

/** Returns a flow run as a part of the response, without personal data. */
const runBody = ({ runId, transactionId, status, outcome, startedAt, endedAt, path }: RunRow) => ({
  runId,
  transactionId,
  status,
  ...(outcome === null ? {} : { outcome }),
  startedAt: startedAt.toISOString(),
  ...(endedAt === null ? {} : { endedAt: endedAt.toISOString() }),
  path: path.map(({ step, exit, reason }) => ({
    step,
    ...(exit === undefined ? {} : { exit }),
    ...(reason === undefined ? {} : { reason }),
  })),
});

/**
 * GET …/versions/{version}/runs: the newest flow runs of a flow version. A step, an outcome or a status in the query limits the list. Reads
 * Postgres, not the workflows.
 */
export const listVersionRuns: Handler<'flowStore' | 'pool'> = async (call) => {
  const query = parseQuery(call.request.url, runsQuery);
  const { days, limit } = query;
  const { name, version, definition } = await readRequestedVersion(call);
  checkFilter(query, definition);
  const filter = filterOf(query);
  const since = new Date(Date.now() - days * dayMs);
  const runs = await findRuns(call.dependencies.pool, { tenant: call.tenant, name }, version, { filter, since, limit });
  const body = { name, version, since: since.toISOString(), runs: runs.map(runBody) };
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, body };
};

export const flowVersionRuns = named(
  'FlowVersionRuns',
  z.strictObject({
    name: z.string(),
    version: z.int().min(1),
    since: utcTime.describe('Lists flow runs that started at this time or later'),
    runs: z.array(
      z.strictObject({
        runId: z.string(),
        transactionId: z.string(),
        status: runStatus,
        outcome: z.string().optional(),
        startedAt: utcTime,
        endedAt: utcTime.optional(),
        path: z.array(z.strictObject({ step: z.string(), exit: z.string().optional(), reason: z.string().optional() })),
      }),
    ),
  }),
  {
    name: 'sms-first',
    version: 1,
    since: '2026-01-24T12:00:00.000Z',
    runs: [
      {
        runId: sample.runId,
        transactionId: sample.transactionId,
        status: 'Completed',
        outcome: 'Confirmed',
        startedAt: '2026-01-31T12:00:00.000Z',
        endedAt: '2026-01-31T12:01:30.000Z',
        path: [{ step: 'code', exit: 'Valid' }, { step: 'confirmed' }],
      },
    ],
  },
);

/** The runs of a version; not in SPEC. */
export const versionRunRoutes: readonly ApiRoute[] = [
  {
    operationId: 'listFlowVersionRuns',
    method: 'get',
    path: `${versionPath}/runs`,
    scope: 'flows:read',
    summary: 'List the recent runs of a version, newest first: all, or those with a step, an outcome or a status',
    responses: { 200: flowVersionRuns },
    problems: ['validation_failed', 'flow_version_not_found'],
    parameters: runsParameters,
    isLongRead: true,
    handler: listVersionRuns,
  },
];
