import { type Client, QueryRejectedError, WorkflowNotFoundError } from '@temporalio/client';
import { BrokenCircuitError } from 'cockatiel';
import type { Language } from '../../domain/person';
import { toView, type TransactionView } from '../../domain/transaction/views';
import type { Logger } from '../../platform/logger';
import { errorName } from '../../platform/postgres/postgres';
import { transactionWorkflowId, type VersionedView, versionedView } from '../../workflows/contract';
import type { Target, Transactions } from './transactions';
import { outageOrErasureToProblem, deadlines, isErased, isOutageOrTimeout, withDeadline } from './deadline';
import { findRecordVersion, reportRecordVersion } from './record-version';
import type { QueryBreaker } from './query-breaker';
import { type Records, readState } from './records';

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
          if (view) return { view, source: 'workflow' };
        } catch (error) {
          logUnexpected(error, target);
        }
      }
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
