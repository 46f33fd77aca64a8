import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { TransactionState } from '../domain/transactions/state';
import { DataErasedError } from '../platform/keys/data-keys';
import { errorName, type Logger } from '../platform/logger';
import { isOutage } from '../platform/outage';
import { type Rounds, startRounds } from '../platform/rounds';
import { defineCounter } from '../platform/telemetry/metrics';
import { DeadlineExceeded, withDeadline } from '../platform/temporal/connection';
import type { DueClaim, DueTransaction } from '../store/transactions/list-transactions.sql';
import { recordVersion } from '../workflows/contract/commands';
import { resumeOptions } from '../workflows/contract/start';
import { transactionWorkflowId, workflowType } from '../workflows/contract/ids';

export interface ResumeDependencies {
  client: Client;
  /** Claims transactions that are due: see `claimDueTransactions`. */
  claimDue: (claim: DueClaim) => Promise<DueTransaction[]>;
  taskQueue: string;
  /** The saved state of a transaction. Undefined if it has no record. Throws DataErasedError after the erasure. */
  findState: (target: DueTransaction) => Promise<TransactionState | undefined>;
  logger: Logger;
}

const resumesCounter = defineCounter('countersign.due_transactions.resumed', {
  description: 'Transactions that had lost their workflow, and were resumed from their records',
  fromZero: [{}],
});

/** The time between two checks. A check costs one look-up in a small index. */
const checkEveryMs = 15_000;
/** A workflow that runs saves its record within milliseconds after a timer. With this time, a busy one is not disturbed. */
const graceMs = 15_000;
/** How long after one try to resume a transaction the next try follows. A signal to a workflow that still works costs little. */
const leaseMs = 60_000;
/** Transactions per batch. While there are more, the batches follow each other without a pause. */
const batchSize = 100;
/** How long Temporal may take for a start or a signal. So a batch always ends before its lease. */
const temporalMs = 1_400;
/** How many transactions are resumed at the same time. After the loss of Temporal, many are due at once, and callers need it too. */
const concurrency = 5;

/**
 * Resumes transactions that have been due for some time: their record should have changed without a command, such as at the expiry of a code
 * or at the end of a wait, but no workflow has done so. Either the workflow is gone, because an operator terminated it or Temporal lost its
 * data, or it is behind the record, because an earlier backup of Temporal was restored. A transaction that waits only for commands needs no
 * workflow: the next command resumes it.
 *
 * This is a loop in the worker processes and no workflow, because it repairs what Temporal has lost: a schedule would be lost with it.
 */
export class DueTransactionResumer {
  readonly #rounds: Rounds;
  #isStopped = false;

  constructor(private readonly dependencies: ResumeDependencies) {
    this.#rounds = startRounds(
      checkEveryMs,
      () => this.#check(),
      (error) => dependencies.logger.warn({ failure: errorName(error) }, 'the search for due transactions failed'),
    );
    void this.check();
  }

  /** Checks once. If a check is already running, waits for it instead. Never rejects: after an error, the next check tries again. */
  check(): Promise<void> {
    return this.#rounds.run();
  }

  stop(): void {
    this.#isStopped = true;
    this.#rounds.stop();
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
      if (error instanceof DataErasedError) return;
      if (error instanceof DeadlineExceeded || isOutage(error)) throw error;
      this.dependencies.logger.warn(
        { workflowId: transactionWorkflowId(target.tenant, target.id), failure: errorName(error) },
        'a due transaction could not be resumed; retrying',
      );
    }
  }

  /** Tells the workflow the version of the record. If the workflow does not run, starts it from the record. */
  async #resume(target: DueTransaction): Promise<void> {
    const { client, findState, taskQueue, logger } = this.dependencies;
    if (await this.#signal(target)) return;
    const state = await findState(target);
    if (!state) return;
    await withDeadline(client, temporalMs, () => client.workflow.start(workflowType, resumeOptions(state, taskQueue)));
    resumesCounter.add(1);
    logger.info({ transactionId: state.id, version: state.version }, 'a due transaction was resumed from its record');
  }

  /** Tells a workflow the version of its record. Returns false if the workflow does not run. */
  async #signal({ tenant, id, version }: DueTransaction): Promise<boolean> {
    const { client } = this.dependencies;
    const handle = client.workflow.getHandle(transactionWorkflowId(tenant, id));
    try {
      await withDeadline(client, temporalMs, () => handle.signal(recordVersion, version));
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }
}
