import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Logger } from '../../platform/logger';
import { errorName } from '../../platform/postgres/postgres';
import type { DueClaim, DueTransaction } from '../../store/record/list-transactions.sql';
import {
  recordVersion,
  searchAttributes,
  stateSearchAttributes,
  type TransactionStart,
  transactionWorkflowId,
  workflowTaskTimeout,
  workflowType,
} from '../../workflows/contract';
import { deadlines, isErased, isOutageOrTimeout, withDeadline } from './deadline';
import type { Records } from './records';
import { TypedSearchAttributes } from '@temporalio/common';
import { searchAttributesOf } from '../../domain/operator-panel/operator-panel';
import type { TransactionState } from '../../domain/transaction/state';

export interface ResumeDependencies {
  client: Client;
  /** Claims transactions that are due: see `claimDueTransactions`. */
  claimDue: (claim: DueClaim) => Promise<DueTransaction[]>;
  taskQueue: string;
  records: Pick<Records, 'findState'>;
  logger: Logger;
}

/** The time between two checks. A check costs one look-up in a small index. */
const checkEveryMs = 15_000;
/** A workflow that runs saves its record within milliseconds after a timer. With this time, a busy one is not disturbed. */
const graceMs = 15_000;
/** How long after one try to resume a transaction the next try follows. A signal to a workflow that still works costs little. */
const leaseMs = 60_000;
/** Transactions per batch. While there are more, the batches follow each other without a pause. */
const batchSize = 100;
/** How many transactions are resumed at the same time. After the loss of Temporal, many are due at once, and callers need it too. */
const concurrency = 5;

/**
 * Resumes transactions that have been due for some time: their record should have changed without a command, such as at the expiry of a code
 * or at the end of a wait, but no workflow has done so. Either the workflow is gone, because an operator terminated it or Temporal lost its
 * data, or it is behind the record, because an earlier backup of Temporal was restored. A transaction that waits only for commands needs no
 * workflow: the next command resumes it.
 */
export class DueTransactionResumer {
  readonly #timer: NodeJS.Timeout;
  #currentCheck: Promise<void> | undefined;
  #isStopped = false;

  constructor(private readonly dependencies: ResumeDependencies) {
    this.#timer = setInterval(() => void this.check(), checkEveryMs);
    void this.check();
  }

  /** Checks once. If a check is already running, waits for it instead. Never rejects: after an error, the next check tries again. */
  check(): Promise<void> {
    this.#currentCheck ??= this.#check()
      .catch((error: unknown) =>
        this.dependencies.logger.warn({ failure: errorName(error) }, 'the search for due transactions failed'),
      )
      .finally(() => {
        this.#currentCheck = undefined;
      });
    return this.#currentCheck;
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    for (;;) {
      const due = await this.dependencies.claimDue({ graceMs, leaseMs, limit: batchSize });
      const isFullBatch = due.length === batchSize;
      const workers = Array.from({ length: concurrency }, async () => {
        for (let target = due.pop(); target && !this.#isStopped; target = due.pop()) await this.#tryToResume(target);
      });
      await Promise.all(workers);
      if (!isFullBatch || this.#isStopped) return;
    }
  }

  /** Tries to resume a transaction. If this fails, the next check after the lease tries again. Throws only during an outage. */
  async #tryToResume(target: DueTransaction): Promise<void> {
    try {
      await this.#resume(target);
    } catch (error) {
      if (isErased(error)) return;
      if (isOutageOrTimeout(error)) throw error;
      this.dependencies.logger.warn(
        { workflowId: transactionWorkflowId(target.tenant, target.id), failure: errorName(error) },
        'a due transaction could not be resumed; retrying',
      );
    }
  }

  /** Tells the workflow the version of the record. If the workflow does not run, starts it from the record. */
  async #resume(target: DueTransaction): Promise<void> {
    const { client, records, taskQueue, logger } = this.dependencies;
    if (await this.#signal(target)) return;
    const state = await records.findState(target);
    if (!state) return;
    await withDeadline(client, deadlines.startMs, () =>
      client.workflow.start(workflowType, resumeOptions(state, taskQueue)),
    );
    logger.info({ transactionId: state.id, version: state.version }, 'a due transaction was resumed from its record');
  }

  /** Tells a workflow the version of its record. Returns false if the workflow does not run. */
  async #signal({ tenant, id, version }: DueTransaction): Promise<boolean> {
    const { client } = this.dependencies;
    const handle = client.workflow.getHandle(transactionWorkflowId(tenant, id));
    try {
      await withDeadline(client, deadlines.signalMs, () => handle.signal(recordVersion, version));
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }
}

/**
 * The search attributes (values by which Temporal can find workflows) with which a workflow starts. A running workflow writes only the
 * attributes that change, so it must start with all attributes.
 */
function startAttributesOf(state: TransactionState): TypedSearchAttributes {
  const values = searchAttributesOf(state);
  const attributes = stateSearchAttributes.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [{ key: searchAttributes[name], value }];
  });
  return new TypedSearchAttributes([{ key: searchAttributes.tenant, value: state.tenant }, ...attributes]);
}

/** The options of a workflow start that continues a transaction from its record. A workflow that still runs stays as it is. */
export function resumeOptions(state: TransactionState, taskQueue: string) {
  return {
    workflowId: transactionWorkflowId(state.tenant, state.id),
    taskQueue,
    args: [{ state }] as [TransactionStart],
    typedSearchAttributes: startAttributesOf(state),
    staticSummary: `verify a person for ${state.tenant}${state.version > 0 ? ', resumed' : ''}`,
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowTaskTimeout,
  } as const;
}
