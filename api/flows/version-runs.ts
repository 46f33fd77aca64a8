import type { FlowDefinition } from '../../domain/flows/definition';
import { findRuns, type FoundRun, type RunPlace } from '../../store/record/flow-runs.sql';
import { integerOf, queryOf } from '../http/page-query';
import { Problem } from '../http/problem';
import type { Handler, Parameter } from '../http/route';
import { daysOf, daysParameter, versionAsked } from './drawings';

const dayMs = 86_400_000;
const runsMax = 50;

const queryNames = (
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
  queryNames('step', 'Runs that have entered this step; with counts=here those that are there now'),
  queryNames('counts', 'Goes with step', { enum: ['entered', 'here'], default: 'entered' }),
  queryNames('outcome', 'Runs that ended with it'),
  queryNames('status', 'Runs that go on, whenever they began, or that were canceled', {
    enum: ['Running', 'Canceled'],
  }),
  daysParameter,
  queryNames('limit', 'How many at most', { type: 'integer', minimum: 1, maximum: runsMax, default: runsMax }),
];

const refused = (field: string, words: string) => new Problem('validation_failed', { errors: { [field]: [words] } });

/** Where the runs are that a query asks for. Throws validation_failed. */
function placeOf(query: URLSearchParams, { steps }: FlowDefinition): RunPlace {
  const [step, outcome, status, counts] = ['step', 'outcome', 'status', 'counts'].map((name) => query.get(name));
  if ([step, outcome, status].filter((given) => typeof given === 'string').length > 1)
    throw refused('step', 'goes with neither outcome nor status, nor those with each other: ask for one of them');
  if (typeof counts === 'string' && (typeof step !== 'string' || !['here', 'entered'].includes(counts)))
    throw refused('counts', 'must be here or entered, and go with step');
  if (typeof step === 'string') {
    if (!Object.hasOwn(steps, step)) throw refused('step', 'is no step of the version');
    return counts === 'here' ? { sort: 'here', step } : { sort: 'entered', steps: [step] };
  }
  if (typeof outcome === 'string') {
    const ends = Object.entries(steps).flatMap(([name, end]) =>
      end.kind === 'outcome' && end.outcome === outcome ? [name] : [],
    );
    if (ends.length === 0) throw refused('outcome', 'is no outcome of the version');
    return { sort: 'entered', steps: ends };
  }
  if (status === 'Running') return { sort: 'running' };
  if (status === 'Canceled') return { sort: 'canceled' };
  if (typeof status === 'string') throw refused('status', 'must be Running or Canceled');
  return { sort: 'all' };
}

/** What is told of a run: where it went, and nothing of the person. */
const runBody = ({ runId, transactionId, status, outcome, startedAt, endedAt, path }: FoundRun) => ({
  runId,
  transactionId,
  status,
  ...(outcome === null ? {} : { outcome }),
  startedAt: startedAt.toISOString(),
  ...(endedAt === null ? {} : { endedAt: endedAt.toISOString() }),
  // Without the times that each visit has in the record.
  path: path.map(({ step, exit, reason }) => ({
    step,
    ...(exit === undefined ? {} : { exit }),
    ...(reason === undefined ? {} : { reason }),
  })),
});

/** GET …/versions/{version}/runs: the newest runs at a step, with an outcome, or of a status, as the record has them. */
export const listVersionRuns: Handler = async (call) => {
  const query = queryOf(call.request.url, ['step', 'counts', 'outcome', 'status', 'days', 'limit']);
  const days = daysOf(query);
  const limit = integerOf(query, 'limit', { max: runsMax, fallback: runsMax });
  const { name, version, definition } = await versionAsked(call);
  const place = placeOf(query, definition);
  const since = new Date(Date.now() - days * dayMs);
  const runs = await findRuns(call.dependencies.pool, { tenant: call.tenant, name }, version, { place, since, limit });
  const body = { name, version, since: since.toISOString(), runs: runs.map(runBody) };
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, body };
};
