import { type Client, QueryNotRegisteredError, QueryRejectedError, WorkflowNotFoundError } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { createQueryBreaker, createViewReader } from '../../../api/transactions/read-view';
import { newState } from '../../../domain/transactions/state';
import { toView } from '../../../domain/transactions/views';
import { createLogger } from '../../../platform/logger';
import type { VersionedView } from '../../../workflows/contract/commands';
import { person } from '../../support/build';
import { openMemoryRecords } from '../../support/memory-records';
import { LogLines } from '../../support/log-lines';
import { serviceError } from '../../support/service-error';

const target = { tenant: 'local', id: '0198a3c0-0000-7000-8000-000000000001' };
const createdAt = '2026-03-01T12:00:00.000Z';
const record = { ...newState({ ...target, input: person, initialFlow: null, createdAt }), version: 7 };

const replayError: QueryNotRegisteredError = Object.assign(Object.create(QueryNotRegisteredError.prototype), {
  message: 'not registered',
});
const closedError = new QueryRejectedError(
  temporal.api.enums.v1.WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED,
);

/** A reader of views. `query` answers the queries. Returns also the versions that the workflow was told. */
function openReader(
  query: () => Promise<VersionedView>,
  findVersion: () => Promise<number | undefined> = async () => record.version,
) {
  const log = new LogLines();
  const logger = createLogger('api', 'info', log.stream);
  const signaled: unknown[] = [];
  const signal = async (_: unknown, version: unknown) => void signaled.push(version);
  const counted = jest.fn(query);
  const client = {
    withDeadline: (_: number, call: () => Promise<unknown>) => call(),
    workflow: { getHandle: () => ({ query: counted, signal }) },
  } as unknown as Client;
  const reader = createViewReader({
    client,
    openQueryClient: async () => client,
    records: { ...openMemoryRecords(new Map([[record.id, record]])), findVersion },
    reads: 'workflow',
    queryBreaker: createQueryBreaker(logger),
    logger,
  });
  return { ...reader, log, signaled, query: counted };
}

const viewOfWorkflow = (savedVersion: number): VersionedView => ({ view: toView(record, createdAt), savedVersion });

describe('a query that fails', () => {
  test.each([
    ['the workflow cannot be replayed', replayError],
    ['the code of the workflow throws', new TypeError('x is not a function')],
    ['the tasks of the workflow fail', serviceError(9, 'Cannot query workflow due to Workflow Task in failed state.')],
    ['Temporal does not answer', serviceError(14, 'UNAVAILABLE')],
    ['no workflow runs', new WorkflowNotFoundError('gone', 'id', undefined)],
    ['the workflow is closed', closedError],
  ])('the record answers if %s', async (_, error) => {
    const reader = openReader(() => Promise.reject(error));
    expect((await reader.read(target)).source).toBe('record');
  });

  test('the start of a flow uses the record if the workflow cannot be replayed, and waits during an outage', async () => {
    const broken = openReader(() => Promise.reject(replayError));
    expect((await broken.readLatest(target)).status).toBe('Open');
    const away = openReader(() => Promise.reject(serviceError(14, 'UNAVAILABLE')));
    await expect(away.readLatest(target)).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  test('operators find the workflow in the log, but not a closed one', async () => {
    const broken = openReader(() => Promise.reject(replayError));
    await broken.read(target);
    expect(broken.log.lines).toMatchObject([
      { workflowId: `transaction/local/${target.id}`, failure: expect.stringContaining('QueryNotRegisteredError') },
    ]);
    const closed = openReader(() => Promise.reject(closedError));
    await closed.read(target);
    expect(closed.log.lines).toEqual([]);
  });
});

describe('a record that is ahead of the workflow', () => {
  test('the record answers, and the workflow is told the version of the record', async () => {
    const reader = openReader(async () => viewOfWorkflow(6));
    expect((await reader.read(target)).source).toBe('record');
    expect(reader.signaled).toEqual([7]);
  });

  test.each<[string, number, () => Promise<number | undefined>]>([
    ['the workflow knows the record', 7, async () => 7],
    ['the workflow knows a newer record than Postgres', 9, async () => 7],
    ['there is no record yet', 0, async () => undefined],
    ['Postgres is unavailable', 6, () => Promise.reject(new Error('connect'))],
    ['Postgres does not answer', 6, () => new Promise(() => undefined)],
  ])('the workflow answers if %s', async (_, savedVersion, findVersion) => {
    const reader = openReader(async () => viewOfWorkflow(savedVersion), findVersion);
    expect((await reader.read(target)).source).toBe('workflow');
    expect(reader.signaled).toEqual([]);
  });
});

describe('the breaker of queries', () => {
  const unavailable = () => Promise.reject(serviceError(14, 'UNAVAILABLE'));
  const answer = async () => viewOfWorkflow(7);
  const readTimes = async (reader: ReturnType<typeof openReader>, times: number) => {
    for (let time = 0; time < times; time += 1) await reader.read(target);
  };
  afterEach(() => jest.useRealTimers());

  test('single queries without an answer stop no other query', async () => {
    let count = 0;
    const reader = openReader(() => (count++ % 5 === 0 ? answer() : unavailable()));
    await readTimes(reader, 50);
    expect(reader.query).toHaveBeenCalledTimes(50);
  });

  test('tasks of a workflow that fail stop no query', async () => {
    const reader = openReader(() => Promise.reject(serviceError(9, 'failed state')));
    await readTimes(reader, 20);
    expect(reader.query).toHaveBeenCalledTimes(20);
  });

  test('after five queries in a row without an answer there is a pause; then one query at a time tries again', async () => {
    jest.useFakeTimers({ now: 0, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    let respond: () => Promise<VersionedView> = unavailable;
    const reader = openReader(() => respond());
    await readTimes(reader, 30);
    expect(reader.query).toHaveBeenCalledTimes(5);
    jest.setSystemTime(1_100);
    await readTimes(reader, 30);
    expect(reader.query).toHaveBeenCalledTimes(6);
    jest.setSystemTime(2_200);
    let finish: (view: VersionedView) => void = () => undefined;
    respond = () => new Promise((resolve) => (finish = resolve));
    const first = reader.read(target);
    expect((await reader.read(target)).source).toBe('record');
    expect(reader.query).toHaveBeenCalledTimes(7);
    finish(viewOfWorkflow(7));
    expect((await first).source).toBe('workflow');
    respond = answer;
    expect((await reader.read(target)).source).toBe('workflow');
    expect(reader.log.lines.map(({ msg }) => msg)).toEqual([
      'workflows do not answer queries: the records answer',
      'workflows answer queries again',
    ]);
  });
});
