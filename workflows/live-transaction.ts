import { Mutex } from 'async-mutex';
import {
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  log,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { advanceRuns } from '../domain/flows/advance-runs';
import { type SearchAttributeValues, searchAttributesOf, operatorPanel } from '../domain/operator-panel/operator-panel';
import type { RememberedResponse, TransactionState } from '../domain/state';
import { saveRecord, saveRecordWhenPossible } from './activities';
import { searchAttributes, stateSearchAttributes } from './contract';
import type { AttemptToCount, SaveResult, RecordToSave } from './ports';

/** The time of the current workflow task, as the state stores it (ISO 8601). */
export function now(): string {
  return new Date().toISOString();
}

/** The milliseconds until an instant, for a timer. At least 1. */
export const msUntil = (instant: string): number => Math.max(1, Date.parse(instant) - Date.now());

/** The two possible outcomes of an attempt at a code. `allowed`: the phone or mailbox has attempts left. `rejected`: it has none left. */
export interface AttemptOutcomes<Outcome extends { state: TransactionState }> {
  allowed: Outcome;
  rejected: Outcome;
}

/**
 * The state of a running transaction, and the lock that every change of it needs. No provider call happens inside the lock. Local
 * activities run only inside the lock, one at a time, so that they have the same order when Temporal runs the workflow again from its
 * history (a replay).
 */
export class LiveTransaction {
  readonly #lock = new Mutex();
  /** The time of the `runExclusive` call whose work has the lock now. */
  #at = now();
  readonly #rootScope = CancellationScope.current();
  readonly #listeners: (() => void)[] = [];
  #writtenAttributes: SearchAttributeValues;
  #savedVersion: number;
  #savedResponses: TransactionState['responses'];
  #workInProgress = 0;

  constructor(private currentState: TransactionState) {
    this.#savedVersion = currentState.version;
    this.#savedResponses = currentState.responses;
    this.#writtenAttributes = searchAttributesOf(currentState);
    setCurrentDetails(operatorPanel(currentState));
  }

  get state(): TransactionState {
    return this.currentState;
  }

  /** Whether some work must finish before the workflow ends: work inside the lock, or inside `keepRunningDuring`. */
  get isBusy(): boolean {
    return this.#workInProgress > 0 || this.#lock.isLocked();
  }

  /** Whether the state has changes that are not in the record. */
  get hasUnsavedChanges(): boolean {
    return this.#savedVersion !== this.currentState.version;
  }

  /**
   * Runs `work` inside the lock, in the order of the calls. A cancellation does not interrupt `work`. `work` must not call `runExclusive`,
   * because it would wait for itself. `at` is the time of this call, and all changes of `work` have this time. So a request has the time
   * when it arrived, even if it then waited for the lock. `work` must not read the clock: when Temporal replays the workflow, the clock
   * after a local activity can show another time than in the first run.
   */
  runExclusive<Result>(work: (at: string) => Promise<Result>): Promise<Result> {
    const at = now();
    return this.#lock.runExclusive(() => {
      this.#at = at;
      return CancellationScope.nonCancellable(() => work(at));
    });
  }

  /** Replaces the state. Call this only inside `runExclusive`. */
  change(next: TransactionState): void {
    if (!this.#lock.isLocked()) throw new Error('The state was changed outside `runExclusive`: this is a bug.');
    this.#replace(this.#nextVersion(next));
  }

  /** Calls `listener` after every change. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Keeps the responses to commands, for repeats with the same idempotency key. Does not raise the version, because the command already
   * raised the version when it changed the state.
   */
  rememberResponses(responses: readonly RememberedResponse[]): void {
    this.currentState = { ...this.currentState, responses: [...responses] };
  }

  /** Saves the record with all responses, also those remembered since the last save. Call this only inside `runExclusive`. */
  async saveResponses(): Promise<void> {
    if (this.currentState.responses !== this.#savedResponses) this.change(this.currentState);
    await this.save();
  }

  /** Saves the record. Returns when it is durable in Postgres. Call this only inside `runExclusive`. */
  async save(): Promise<void> {
    this.#updateSearchAttributes();
    await this.#overwriteStale(await this.#save({ state: this.currentState }));
  }

  /**
   * Counts an attempt at a code against the limits of its phone or mailbox, and saves its outcome, in one database transaction. Returns
   * the outcome that was saved. Call this only inside `runExclusive`.
   */
  async saveAttempt<Outcome extends { state: TransactionState }>(
    attempt: AttemptToCount,
    { allowed, rejected }: AttemptOutcomes<Outcome>,
  ): Promise<Outcome> {
    const allowedState = this.#nextVersion(allowed.state);
    const rejectedState = this.#nextVersion(rejected.state);
    const saved = await this.#save({
      state: allowedState,
      attempt: { ...attempt, stateIfRejected: rejectedState },
    });
    // Keep the responses that were remembered during the save.
    this.#replace({
      ...(saved.attemptAllowed ? allowedState : rejectedState),
      responses: this.currentState.responses,
    });
    this.#updateSearchAttributes();
    await this.#overwriteStale(saved);
    return saved.attemptAllowed ? allowed : rejected;
  }

  /**
   * A worker that died may have saved a state that Temporal does not know. Such a stale record is overwritten with a higher version, so
   * that every reader gets the state of the workflow. See docs/decisions/0027.
   */
  async #overwriteStale({ conflictingVersion }: SaveResult): Promise<void> {
    this.#savedVersion = this.currentState.version;
    if (conflictingVersion === undefined) return;
    // The timer fires only for the worker that runs the workflow now. So a worker that Temporal has replaced by another worker overwrites
    // nothing.
    await sleep(1, { summary: 'overwrite the stale record' });
    this.currentState = { ...this.currentState, version: conflictingVersion + 1 };
    await this.#overwriteStale(await this.#save({ state: this.currentState }));
  }

  async #save(change: Omit<RecordToSave, 'savedVersion'>): Promise<SaveResult> {
    const record = { ...change, savedVersion: this.#savedVersion };
    this.#savedResponses = record.state.responses;
    try {
      return await saveRecord(record);
    } catch (error) {
      // If the last retry of the local activity fails, its error arrives here. Every error except a cancellation counts as an outage of the
      // database.
      if (isCancellation(error)) throw error;
      return saveRecordWhenPossible(record);
    }
  }

  /** Runs `work` outside the lock, such as sending a message. The workflow does not end before `work` has finished. */
  async keepRunningDuring<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#workInProgress += 1;
    try {
      return await work();
    } finally {
      this.#workInProgress -= 1;
    }
  }

  /**
   * A Temporal scope for background work. If an operator cancels the workflow, this work stops, but the command that started the work
   * continues.
   */
  newScope(): CancellationScope {
    return new CancellationScope({ cancellable: true, parent: this.#rootScope });
  }

  /** Runs work in the background until it ends or its scope is canceled. Logs an unexpected error, then calls `onFailure`. */
  runInBackground(
    scope: CancellationScope,
    name: string,
    work: () => Promise<void>,
    onFailure: (error: unknown) => Promise<void> | void = () => undefined,
  ): void {
    void scope.run(work).catch((error: unknown) => {
      if (isCancellation(error)) return undefined;
      logUnexpected(name, error);
      return onFailure(error);
    });
  }

  /** The state with the next version number. A flow run that waited for something that has ended is moved to its next step. */
  #nextVersion(next: TransactionState): TransactionState {
    return { ...advanceRuns(next, this.#at), version: this.currentState.version + 1, changedAt: this.#at };
  }

  #replace(next: TransactionState): void {
    this.currentState = next;
    setCurrentDetails(operatorPanel(next));
    for (const listener of this.#listeners) listener();
  }

  /** Writes only the search attributes that have changed, because each write adds an entry to the history. */
  #updateSearchAttributes(): void {
    const attributes = searchAttributesOf(this.currentState);
    const changed = stateSearchAttributes.filter((name) => attributes[name] !== this.#writtenAttributes[name]);
    if (changed.length > 0)
      upsertSearchAttributes(changed.map((name) => ({ key: searchAttributes[name], value: attributes[name] ?? null })));
    this.#writtenAttributes = attributes;
  }
}

/** Logs an unexpected error of the command or work `name`. Leaves out the message of the error, which may have personal data. */
export function logUnexpected(name: string, error: unknown): void {
  const { name: failure = 'unknown', stack = '' } = error instanceof Error ? error : {};
  const type = error instanceof ApplicationFailure ? error.type : failure;
  const stackLines = stack.split('\n').filter((line) => /^\s+at /.test(line));
  log.error('unexpected error in a transaction', { command: name, failure: type, where: stackLines.slice(0, 8) });
}
