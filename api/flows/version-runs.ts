import type { FlowDefinition } from '../../domain/flows/definition';
import { findRuns, type RunRow, type RunFilter } from '../../store/record/flow-runs.sql';
import { parseInteger, parseQuery } from '../http/page-query';
import { Problem } from '../http/problem';
import type { Handler, Parameter } from '../http/route';
import { daysOf, daysParameter, readRequestedVersion } from './diagrams';

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

const fieldProblem = (field: string, issue: string) =>
  new Problem('validation_failed', { errors: { [field]: [issue] } });

/** Reads from a query which flow runs the caller wants. Throws validation_failed. */
function filterOf(query: URLSearchParams, { steps }: FlowDefinition): RunFilter {
  const [step, outcome, status, counts] = ['step', 'outcome', 'status', 'counts'].map((name) => query.get(name));
  if ([step, outcome, status].filter((given) => typeof given === 'string').length > 1)
    throw fieldProblem('step', 'must not be combined with outcome or status; send one of the three');
  if (typeof counts === 'string' && (typeof step !== 'string' || !['current', 'entered'].includes(counts)))
    throw fieldProblem('counts', 'must be current or entered, and can only be sent with step');
  if (typeof step === 'string') {
    if (!Object.hasOwn(steps, step)) throw fieldProblem('step', 'is not a step of this version');
    return counts === 'current' ? { kind: 'current', step } : { kind: 'entered', steps: [step] };
  }
  const outcomeStepsOf = (isWanted: (name: string) => boolean) =>
    Object.entries(steps).flatMap(([name, end]) => (end.kind === 'outcome' && isWanted(end.outcome) ? [name] : []));
  if (typeof outcome === 'string') {
    const outcomeSteps = outcomeStepsOf((name) => name === outcome);
    if (outcomeSteps.length === 0) throw fieldProblem('outcome', 'is not an outcome of this version');
    return { kind: 'entered', steps: outcomeSteps };
  }
  if (status === 'Running') return { kind: 'running' };
  if (status === 'Canceled') return { kind: 'canceled' };
  // A flow run that has entered an outcome step is completed.
  if (status === 'Completed') return { kind: 'entered', steps: outcomeStepsOf(() => true) };
  if (typeof status === 'string') throw fieldProblem('status', 'must be Running, Completed or Canceled');
  return { kind: 'all' };
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
export const listVersionRuns: Handler = async (call) => {
  const query = parseQuery(call.request.url, ['step', 'counts', 'outcome', 'status', 'days', 'limit']);
  const days = daysOf(query);
  const limit = parseInteger(query, 'limit', { max: runsMax, fallback: runsMax });
  const { name, version, definition } = await readRequestedVersion(call);
  const filter = filterOf(query, definition);
  const since = new Date(Date.now() - days * dayMs);
  const runs = await findRuns(call.dependencies.pool, { tenant: call.tenant, name }, version, { filter, since, limit });
  const body = { name, version, since: since.toISOString(), runs: runs.map(runBody) };
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, body };
};
