import type { Client } from '@temporalio/client';
import { isRunning, currentStepName } from '../../domain/flows/run';
import type { Logger } from '../../platform/logger';
import { parseTransactionWorkflowId, workflowType } from '../../workflows/contract';
import type { RecordReader } from './record-reader';
import { deadlines, isErased, isOutageOrTimeout, withDeadline } from './deadline';
import { resumeOptions } from './resume';

export interface ResumeDependencies {
  client: Client;
  taskQueue: string;
  reader: RecordReader;
  logger: Logger;
}

/** The time between two checks. */
const checkEveryMs = 30_000;
/**
 * Each check looks for workflows that ended after a certain time: the start of the previous check, minus this overlap. The overlap is
 * needed because the list of Temporal may be some seconds late.
 */
const overlapMs = 300_000;
/**
 * How far the first check looks back: 30 days. Usually, Temporal deletes a closed workflow earlier (after the retention time of its
 * namespace).
 */
const firstLookbackMs = 30 * 86_400_000;
/** Maximum time for one page of the list of Temporal. */
const listMs = 5_000;

/** Returns undefined for an erased transaction, because it has ended for ever. Throws all other errors. */
function ignoreErased(error: unknown): undefined {
  if (!isErased(error)) throw error;
}

/** A query for workflow executions that were terminated or timed out after a time. */
const endedSinceQuery = (since: Date) =>
  [
    `WorkflowType = "${workflowType}"`,
    'ExecutionStatus IN ("Terminated", "TimedOut")',
    `CloseTime > "${since.toISOString()}"`,
  ].join(' AND ');

/**
 * Resumes transactions whose workflow was terminated or timed out during a flow run. Without a workflow, the timers of the flow run do not
 * fire. Transactions without a flow run need this less: reads show what has expired even without a timer, and the next command resumes the
 * workflow. A failed workflow is left to operators, because it would fail again.
 */
export class EndedTransactionResumer {
  readonly #timer: NodeJS.Timeout;
  /** Workflow executions that were checked: run ids of Temporal, not of flow runs. */
  readonly #checkedExecutionIds = new Set<string>();
  /** Workflow ids that could not be resumed. */
  readonly #failedWorkflowIds = new Set<string>();
  #sinceMs = Date.now() - firstLookbackMs;
  #currentCheck: Promise<void> | undefined;

  constructor(private readonly dependencies: ResumeDependencies) {
    this.#timer = setInterval(() => void this.check(), checkEveryMs);
    void this.check();
  }

  /** Checks once. If a check is already running, waits for it instead. Never rejects: after an error, the next check tries again. */
  check(): Promise<void> {
    this.#currentCheck ??= this.#check()
      .catch((error: Error) =>
        this.dependencies.logger.warn({ failure: error.name }, 'the search for ended transactions failed'),
      )
      .finally(() => {
        this.#currentCheck = undefined;
      });
    return this.#currentCheck;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    const { client } = this.dependencies;
    const startedMs = Date.now();
    const endedExecutionIds = new Set<string>();
    for (const workflowId of this.#failedWorkflowIds) await this.#tryToResume(workflowId);
    const query = endedSinceQuery(new Date(this.#sinceMs));
    const executions = client.workflow.list({ query })[Symbol.asyncIterator]();
    for (;;) {
      const { done, value: execution } = await withDeadline(client, listMs, () => executions.next());
      if (done) break;
      endedExecutionIds.add(execution.runId);
      if (this.#checkedExecutionIds.has(execution.runId)) continue;
      await this.#tryToResume(execution.workflowId);
      this.#checkedExecutionIds.add(execution.runId);
    }
    this.#sinceMs = startedMs - overlapMs;
    for (const id of this.#checkedExecutionIds) if (!endedExecutionIds.has(id)) this.#checkedExecutionIds.delete(id);
  }

  /**
   * Tries to resume a transaction. If this fails, the check continues, and the next check tries again. Throws only during an outage. This
   * ends the check.
   */
  async #tryToResume(workflowId: string): Promise<void> {
    try {
      await this.#resume(workflowId);
      this.#failedWorkflowIds.delete(workflowId);
    } catch (error) {
      if (isOutageOrTimeout(error)) throw error;
      this.#failedWorkflowIds.add(workflowId);
      const failure = error instanceof Error ? error.name : 'unknown';
      this.dependencies.logger.warn({ workflowId, failure }, 'an ended transaction could not be resumed; retrying');
    }
  }

  /** Resumes the workflow of a transaction if a flow run is running. */
  async #resume(workflowId: string): Promise<void> {
    const { client, reader, taskQueue, logger } = this.dependencies;
    const target = parseTransactionWorkflowId(workflowId);
    const state = target && (await reader.findState(target).catch(ignoreErased));
    const openRuns = state?.runs?.filter(isRunning) ?? [];
    if (!state || openRuns.length === 0) return;
    await withDeadline(client, deadlines.startMs, () =>
      client.workflow.start(workflowType, resumeOptions(state, taskQueue)),
    );
    for (const run of openRuns) {
      const fields = {
        transactionId: state.id,
        runId: run.id,
        flow: run.flow,
        version: run.version,
        step: currentStepName(run),
      };
      logger.warn(fields, 'the workflow ended during a flow run and was resumed');
    }
  }
}
