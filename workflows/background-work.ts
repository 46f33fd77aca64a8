import { ApplicationFailure, CancellationScope, isCancellation, log } from '@temporalio/workflow';

/** The work of a workflow run that no command waits for, such as timers, and messages during an outage of their provider. */
export class BackgroundWork {
  readonly #scope = new CancellationScope({ cancellable: true, parent: CancellationScope.current() });
  #open = 0;
  #isStopped = false;

  /** Whether the transaction must stay open for work inside `keepOpenDuring`, which another workflow run can continue. */
  get keepsOpen(): boolean {
    return this.#open > 0;
  }

  /** A scope for work. If an operator cancels the workflow, or `stop` is called, this work stops, but the command that started it continues. */
  newScope(): CancellationScope {
    return new CancellationScope({ cancellable: true, parent: this.#scope });
  }

  /** Stops all work. */
  stop(): void {
    this.#isStopped = true;
    this.#scope.cancel();
  }

  /** Runs work until it ends or its scope is canceled. Logs an unexpected error, then calls `onFailure`. */
  run(
    scope: CancellationScope,
    name: string,
    work: () => Promise<void>,
    onFailure: (error: unknown) => Promise<void> | void = () => undefined,
  ): void {
    void scope.run(work).catch((error: unknown) => {
      if (isCancellation(error) || this.#isStopped) return undefined;
      logUnexpected(name, error);
      return onFailure(error);
    });
  }

  /**
   * Runs `work` that can take hours, such as sending a message during an outage of its provider. The transaction does not close before. But
   * the next workflow run can start before: it does the work again, from the state.
   */
  async keepOpenDuring(work: () => Promise<void>): Promise<void> {
    this.#open += 1;
    try {
      await work();
    } finally {
      this.#open -= 1;
    }
  }
}

/** Logs an unexpected error of the command or work `name`. Leaves out the message of the error, which may have personal data. */
export function logUnexpected(name: string, error: unknown): void {
  const { name: failure = 'unknown', stack = '' } = error instanceof Error ? error : {};
  const type = error instanceof ApplicationFailure ? error.type : failure;
  const stackLines = stack.split('\n').filter((line) => /^\s+at /.test(line));
  log.error('unexpected error in a transaction', { command: name, failure: type, where: stackLines.slice(0, 8) });
}
