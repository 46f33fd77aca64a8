import type { Client, Connection } from '@temporalio/client';
import { isRunning, stepOf } from '../../domain/flows/run';
import type { Logger } from '../../platform/logger';
import { transactionOf, workflowType } from '../../workflows/contract';
import type { Reader } from './reader';
import { deadlines, isOutage, within } from './deadline';
import { resumeOptions } from './resume';

export interface ResumeDependencies {
  client: Client;
  connection: Connection;
  taskQueue: string;
  reader: Reader;
  logger: Logger;
}

const checkEveryMs = 30_000;
/** Each check lists a bit more of the past: Temporal's list may be some seconds late. */
const overlapMs = 300_000;
/** The first check covers everything within Temporal's retention. */
const firstCheckMs = 30 * 86_400_000;
/** Deadline for one page of the list. */
const listMs = 5_000;

const endedSince = (since: Date) =>
  [
    `WorkflowType = "${workflowType}"`,
    'ExecutionStatus IN ("Terminated", "TimedOut")',
    `CloseTime > "${since.toISOString()}"`,
  ].join(' AND ');

/**
 * Resumes transactions whose workflow was terminated or timed out while a flow run was open: nothing else would fire the
 * timers of that run. Everything else resumes with the next write (decision 7). A failed workflow is left to operators,
 * because it would fail again.
 */
export class EndedTransactions {
  readonly #timer: NodeJS.Timeout;
  /** Run ids of executions that were checked. */
  readonly #seen = new Set<string>();
  /** Workflow ids that could not be resumed. */
  readonly #failed = new Set<string>();
  #sinceMs = Date.now() - firstCheckMs;
  #checking: Promise<void> | undefined;

  constructor(private readonly dependencies: ResumeDependencies) {
    this.#timer = setInterval(() => void this.check(), checkEveryMs);
    void this.check();
  }

  /** Checks once, unless a check is running. Never rejects: the next check retries. */
  check(): Promise<void> {
    this.#checking ??= this.#check()
      .catch((error: Error) =>
        this.dependencies.logger.warn({ failure: error.name }, 'the search for ended transactions failed'),
      )
      .finally(() => {
        this.#checking = undefined;
      });
    return this.#checking;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    const { client, connection } = this.dependencies;
    const startedMs = Date.now();
    const ended = new Set<string>();
    for (const workflowId of this.#failed) await this.#tryToResume(workflowId);
    const list = client.workflow.list({ query: endedSince(new Date(this.#sinceMs)) })[Symbol.asyncIterator]();
    for (;;) {
      const { done, value: execution } = await within(connection, listMs, () => list.next());
      if (done) break;
      ended.add(execution.runId);
      if (this.#seen.has(execution.runId)) continue;
      await this.#tryToResume(execution.workflowId);
      this.#seen.add(execution.runId);
    }
    this.#sinceMs = startedMs - overlapMs;
    for (const runId of this.#seen) if (!ended.has(runId)) this.#seen.delete(runId);
  }

  /** One failure does not stop the check, and each check retries it. An outage ends the check. */
  async #tryToResume(workflowId: string): Promise<void> {
    try {
      await this.#resume(workflowId);
      this.#failed.delete(workflowId);
    } catch (error) {
      if (isOutage(error)) throw error;
      this.#failed.add(workflowId);
      const failure = error instanceof Error ? error.name : 'unknown';
      this.dependencies.logger.warn({ workflowId, failure }, 'an ended transaction could not be resumed; retrying');
    }
  }

  async #resume(workflowId: string): Promise<void> {
    const { client, connection, reader, taskQueue, logger } = this.dependencies;
    const target = transactionOf(workflowId);
    const state = target && (await reader.state(target));
    const running = state?.runs?.filter(isRunning) ?? [];
    if (!state || running.length === 0) return;
    await within(connection, deadlines.startMs, () =>
      client.workflow.start(workflowType, resumeOptions(state, taskQueue)),
    );
    for (const run of running) {
      const fields = {
        transactionId: state.id,
        runId: run.id,
        flow: run.flow,
        version: run.version,
        step: stepOf(run),
      };
      logger.warn(fields, 'the workflow ended during a flow run and was resumed');
    }
  }
}
