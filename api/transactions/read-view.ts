import { type Client, QueryRejectedError, WorkflowNotFoundError } from '@temporalio/client';
import { BrokenCircuitError, circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhen } from 'cockatiel';
import type { Language } from '../../domain/transactions/input';
import { toView, type TransactionView } from '../../domain/transactions/views';
import { within } from '../../platform/deadline';
import { errorName, type Logger } from '../../platform/logger';
import { recordVersion, versionedView, type VersionedView } from '../../workflows/contract/commands';
import { transactionWorkflowId } from '../../workflows/contract/ids';
import type { Target, Transactions } from './transactions';
import { deadlines, isErased, isOutageOrTimeout, outageOrErasureToProblem, readState, type Records } from './records';
import { grpcCodeOf, grpcCodes } from '../../platform/outage';
import { defineCounter, observeGauge } from '../../platform/telemetry/metrics';
import { withDeadline } from '../../platform/temporal/connection';

export interface ViewDependencies {
  client: Client;
  records: Records;
  openQueryClient: () => Promise<Client>;
  /**
   * Where `read` looks. `workflow`: in the workflow. If the query fails for any reason, in the record. `record`: only in the record. With
   * `record`, callers can poll often, because no worker has to answer.
   */
  reads: 'workflow' | 'record';
  /** Stops the queries of this process for a short time after several of them got no answer. */
  queryBreaker: QueryBreaker;
  logger: Logger;
}

/** Whether an error means that no workflow runs, that the transaction is erased, or that queries are stopped. */
const isExpected = (error: unknown) =>
  error instanceof QueryRejectedError ||
  error instanceof WorkflowNotFoundError ||
  error instanceof BrokenCircuitError ||
  isErased(error);

const readsCounter = defineCounter('countersign.reads', {
  description: 'Reads of transactions, by their source',
  fromZero: [{ source: 'workflow' }, { source: 'record' }],
});

/**
 * Creates the methods that read the view of a transaction from the running workflow, by a query. If the query fails, for example because the
 * workflow is closed, does not answer in time or cannot be replayed, they read the record, which has every change that the API has
 * confirmed. They also read the record if it is ahead of the workflow.
 */
export function createViewReader(dependencies: ViewDependencies): Pick<Transactions, 'read' | 'readLatest'> {
  const { reads, queryBreaker, logger } = dependencies;
  const logUnexpected = (error: unknown, { tenant, id }: Target) => {
    if (isExpected(error) || isOutageOrTimeout(error)) return;
    const workflowId = transactionWorkflowId(tenant, id);
    logger.error({ workflowId, failure: errorName(error) }, 'a workflow cannot be read; the record answers');
  };
  return {
    async read(target, language) {
      const now = new Date().toISOString();
      if (reads === 'workflow') {
        try {
          const query = () => queryView(dependencies, target, now, language);
          const view = await currentView(dependencies, target, queryBreaker.run(query));
          if (view) {
            readsCounter.add(1, { source: 'workflow' });
            return { view, source: 'workflow' };
          }
        } catch (error) {
          logUnexpected(error, target);
        }
      }
      readsCounter.add(1, { source: 'record' });
      return readRecord(dependencies, target, now, language);
    },
    /** Throws during an outage of Temporal or of the workers, because the workflow may then have changes that are not in the record yet. */
    async readLatest(target) {
      const now = new Date().toISOString();
      try {
        const view = await currentView(dependencies, target, queryView(dependencies, target, now));
        if (view) return view;
      } catch (error) {
        if (isOutageOrTimeout(error)) throw outageOrErasureToProblem(error);
        logUnexpected(error, target);
      }
      return (await readRecord(dependencies, target, now)).view;
    },
  };
}

/** Reads the view from the saved state. */
async function readRecord({ records }: ViewDependencies, target: Target, now: string, language?: Language) {
  return { view: toView(await readState(records, target), now, language), source: 'record' as const };
}

/** Reads the view from the running workflow. */
function queryView(
  { openQueryClient }: ViewDependencies,
  { tenant, id }: Target,
  now: string,
  language?: Language,
): Promise<VersionedView> {
  const workflowId = transactionWorkflowId(tenant, id);
  // The codec encrypts each argument, even an undefined one, which takes time. So an undefined language is left out.
  const input: [string, Language?] = language ? [now, language] : [now];
  return withDeadline(openQueryClient(), deadlines.queryMs, (client) =>
    client.workflow.getHandle(workflowId).query(versionedView, ...input),
  );
}

/**
 * The view that the query returns. Undefined if the record is ahead of the workflow, for example because an earlier backup of Temporal was
 * restored. The workflow is then told to continue from the record.
 */
async function currentView(
  dependencies: ViewDependencies,
  target: Target,
  query: Promise<VersionedView>,
): Promise<TransactionView | undefined> {
  const findVersion = findRecordVersion(dependencies, target);
  const { view, savedVersion } = await query;
  const recordVersion = await findVersion;
  if (recordVersion === undefined || recordVersion <= savedVersion) return view;
  void reportRecordVersion(dependencies, target, recordVersion);
  return undefined;
}

/**
 * After this many queries in a row without an answer, the reads of this process use the record. One or two slow queries are usual on a busy
 * machine, for example when a worker must replay a long history. In an outage, all queries fail, so at most this many reads in a row wait
 * until their deadline.
 */
const failuresInARow = 5;

/** How long no query is sent. Then one query tries whether the workflows answer again. A read costs this query at most once a second. */
const pauseMs = 1_000;

/**
 * Stops the queries of a process while Temporal or the workers do not answer, so that reads do not wait for them. `run` counts the outcome of
 * a query, and throws its error. It throws BrokenCircuitError without a query during the pause, and while another query tries whether the
 * workflows answer again.
 */
export interface QueryBreaker {
  run<Result>(query: () => Promise<Result>): Promise<Result>;
}

/** Creates the breaker of a process. Logs one line when queries stop, and one when they work again. */
export function createQueryBreaker(logger: Logger): QueryBreaker {
  const policy = circuitBreaker(
    // This code means that the tasks of one workflow fail. It says nothing about other workflows.
    handleWhen((error) => isOutageOrTimeout(error) && grpcCodeOf(error) !== grpcCodes.failedPrecondition),
    { halfOpenAfter: pauseMs, breaker: new ConsecutiveBreaker(failuresInARow) },
  );
  let isOpen = false;
  const options = { description: 'Whether the records answer all reads, because the workflows do not: 0 or 1' };
  observeGauge('countersign.query_breaker.open', options, (observe) => observe(isOpen ? 1 : 0));
  policy.onBreak(() => {
    if (!isOpen) logger.warn({ failuresInARow }, 'workflows do not answer queries: the records answer');
    isOpen = true;
  });
  policy.onReset(() => {
    isOpen = false;
    logger.info('workflows answer queries again');
  });
  return {
    run(query) {
      // The library would let this query wait for the one that tries.
      if (policy.state === CircuitState.HalfOpen) return Promise.reject(new BrokenCircuitError());
      return policy.execute(query);
    },
  };
}

/**
 * How long a read or a rejected command waits for the version of the record. Usually the version is there before the answer of the workflow,
 * because it takes one index look-up. While Postgres does not answer, each read is this much slower.
 */
const versionMs = 100;

/** The version of the record. Undefined if there is no record, or if Postgres does not answer soon: then the workflow alone answers. */
export function findRecordVersion(
  { records }: { records: Pick<Records, 'findVersion'> },
  target: Target,
): Promise<number | undefined> {
  const version = records.findVersion(target).catch(() => undefined);
  return within(versionMs, version, () => undefined);
}

/**
 * Tells a workflow the version of its record, so that a workflow that is behind continues from the record. Never rejects: the next read or
 * command tries again.
 */
export async function reportRecordVersion(
  { client }: { client: Client },
  { tenant, id }: Target,
  version: number,
): Promise<void> {
  const handle = client.workflow.getHandle(transactionWorkflowId(tenant, id));
  await withDeadline(client, deadlines.signalMs, () => handle.signal(recordVersion, version)).catch(() => undefined);
}
