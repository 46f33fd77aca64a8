import type { Client, Connection } from '@temporalio/client';
import { isRunning, stepOf } from '../../domain/flows/run';
import type { Logger } from '../../platform/logger';
import { transactionOf, workflowType } from '../../workflows/contract';
import type { Reader } from './reader';
import { isOutage, within } from './deadline';
import { resumed } from './resume';

export interface RevivalParts {
  client: Client;
  connection: Connection;
  taskQueue: string;
  reader: Reader;
  logger: Logger;
}

/** Whoever ends a workflow by hand looks at it for minutes: a run that stands still for that long is noticed by few. */
const everyMs = 30_000;
/** What was seen to end stays a while in the list: Temporal may tell of it some seconds late. */
const overlapMs = 300_000;
/** At a start everything that Temporal still keeps is looked at, once. */
const firstLookMs = 30 * 86_400_000;
/** One page of the list: a scan of what was closed lately. */
const listMs = 5_000;
/** One durable write. */
const startMs = 1_300;

const endedSince = (since: Date) =>
  [
    `WorkflowType = "${workflowType}"`,
    'ExecutionStatus IN ("Terminated", "TimedOut")',
    `CloseTime > "${since.toISOString()}"`,
  ].join(' AND ');

/**
 * Begins transactions again that ended in Temporal while a flow of theirs runs: terminated, or timed out. All else that
 * a transaction waits for is closed by its reads or begun by its next write (decision 7); the timers of a flow are not. One
 * that failed is left to operators: it would fail again.
 */
export class Revival {
  readonly #timer: NodeJS.Timeout;
  /** Executions that were looked at. */
  readonly #seen = new Set<string>();
  /** Workflow ids of those that could not be begun. */
  readonly #failed = new Set<string>();
  #sinceMs = Date.now() - firstLookMs;
  #looking: Promise<void> | undefined;

  constructor(private readonly dependencies: RevivalParts) {
    this.#timer = setInterval(() => void this.look(), everyMs);
    void this.look();
  }

  /** Looks once, unless a look is under way. Never rejects: what failed is looked at again. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch((error: Error) =>
        this.dependencies.logger.warn({ failure: error.name }, 'the search for ended transactions failed'),
      )
      .finally(() => {
        this.#looking = undefined;
      });
    return this.#looking;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    const { client, connection } = this.dependencies;
    const beganMs = Date.now();
    const ended = new Set<string>();
    for (const workflowId of this.#failed) await this.#tryToRevive(workflowId);
    const list = client.workflow.list({ query: endedSince(new Date(this.#sinceMs)) })[Symbol.asyncIterator]();
    for (;;) {
      const { done, value: execution } = await within(connection, listMs, () => list.next());
      if (done) break;
      ended.add(execution.runId);
      if (this.#seen.has(execution.runId)) continue;
      await this.#tryToRevive(execution.workflowId);
      this.#seen.add(execution.runId);
    }
    this.#sinceMs = beganMs - overlapMs;
    for (const runId of this.#seen) if (!ended.has(runId)) this.#seen.delete(runId);
  }

  /** One that cannot be begun holds up no other, and is tried again at each look. An outage is of all: it ends the look. */
  async #tryToRevive(workflowId: string): Promise<void> {
    try {
      await this.#revive(workflowId);
      this.#failed.delete(workflowId);
    } catch (error) {
      if (isOutage(error)) throw error;
      this.#failed.add(workflowId);
      const failure = error instanceof Error ? error.name : 'unknown';
      this.dependencies.logger.warn({ workflowId, failure }, 'an ended transaction could not be restarted');
    }
  }

  async #revive(workflowId: string): Promise<void> {
    const { client, connection, reader, taskQueue, logger } = this.dependencies;
    const target = transactionOf(workflowId);
    const state = target && (await reader.state(target));
    const running = state?.runs?.filter(isRunning) ?? [];
    if (!state || running.length === 0) return;
    await within(connection, startMs, () => client.workflow.start(workflowType, resumed(state, taskQueue)));
    for (const run of running) {
      const about = { transactionId: state.id, runId: run.id, flow: run.flow, version: run.version, step: stepOf(run) };
      logger.warn(about, 'a transaction with a running flow had ended and was restarted');
    }
  }
}
