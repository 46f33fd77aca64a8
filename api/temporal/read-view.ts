import { type Client, QueryRejectedError, WorkflowNotFoundError } from '@temporalio/client';
import type { Language } from '../../domain/language';
import { toView, type TransactionView } from '../../domain/views';
import { transactionWorkflowId, view } from '../../workflows/contract';
import type { Target, Transactions } from './transactions';
import { outageOrErasureToProblem, deadlines, isErased, isOutageOrTimeout, withDeadline } from './deadline';
import { type ReadDependencies, readState } from './read-state';

export interface ViewDependencies extends ReadDependencies {
  openQueryClient: () => Promise<Client>;
  /**
   * Where `read` looks. `workflow`: in the workflow. If the workflow is closed or does not answer in time, in the record. `record`: only in
   * the record. With `record`, callers can poll often, because no worker has to answer.
   */
  reads: 'workflow' | 'record';
  /** When a query last failed because of an outage; 0 if none has failed. All reads of a process share this object. */
  lastOutage: { atMs: number };
}

/** After a query has failed because of an outage, reads do not query the workflow for this time. They read the record at once. */
const retryQueryAfterMs = 1_000;

/** Whether an error means that the workflow has ended or is unknown. */
const isClosedError = (error: unknown) => error instanceof QueryRejectedError || error instanceof WorkflowNotFoundError;

/**
 * Creates the methods that read the view of a transaction from the running workflow, by a query. If the workflow is closed or does not
 * answer in time, `read` uses the record, which has every change that the API has confirmed.
 */
export function createViewReader(dependencies: ViewDependencies): Pick<Transactions, 'read' | 'readLatest'> {
  const { reads, lastOutage } = dependencies;
  return {
    async read(target, language) {
      const now = new Date().toISOString();
      if (reads === 'workflow' && Date.now() >= lastOutage.atMs + retryQueryAfterMs) {
        try {
          return { view: await queryView(dependencies, target, now, language), source: 'workflow' };
        } catch (error) {
          if (!isClosedError(error) && !isErased(error) && !isOutageOrTimeout(error)) throw error;
          if (isOutageOrTimeout(error)) lastOutage.atMs = Date.now();
        }
      }
      return readRecord(dependencies, target, now, language);
    },
    /** If the running workflow does not answer, throws. Reads the record only if no workflow runs. */
    async readLatest(target) {
      const now = new Date().toISOString();
      try {
        return await queryView(dependencies, target, now);
      } catch (error) {
        if (!isClosedError(error) && !isErased(error)) throw outageOrErasureToProblem(error);
        return (await readRecord(dependencies, target, now)).view;
      }
    },
  };
}

/** Reads the view from the saved state. */
async function readRecord(dependencies: ReadDependencies, target: Target, now: string, language?: Language) {
  const { state, source } = await readState(dependencies, target);
  return { view: toView(state, now, language), source };
}

/** Reads the view from the running workflow. */
function queryView(
  { openQueryClient }: ViewDependencies,
  { tenant, id }: Target,
  now: string,
  language?: Language,
): Promise<TransactionView> {
  const workflowId = transactionWorkflowId(tenant, id);
  // The codec encrypts each argument, even an undefined one, which takes time. So an undefined language is left out.
  const input: [string, Language?] = language ? [now, language] : [now];
  return withDeadline(openQueryClient(), deadlines.queryMs, (client) =>
    client.workflow.getHandle(workflowId).query(view, ...input),
  );
}
