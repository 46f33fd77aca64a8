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
import { type Attributes, attributesOf, operatorPanel } from '../domain/operator-panel/operator-panel';
import type { RememberedAnswer, TransactionState } from '../domain/state';
import { saveRecord, saveRecordWhenPossible } from './activities';
import { searchAttributes, shownAttributes } from './contract';
import type { AttemptClaim, RecordSaved, RecordToSave } from './ports';

/** The time of the current workflow task, as the state stores it (ISO 8601). */
export function now(): string {
  return new Date().toISOString();
}

/** Milliseconds until a time, for a timer: at least 1. */
export const inMs = (instant: string): number => Math.max(1, Date.parse(instant) - Date.now());

/** Both outcomes of an attempt at a code. `rejected`: its phone or mailbox has no attempts left. */
export interface AttemptOutcomes<Outcome extends { state: TransactionState }> {
  granted: Outcome;
  rejected: Outcome;
}

/**
 * The state of a running transaction, and the lock that every change of it needs. No provider call happens inside the lock.
 * Local activities happen only inside it, one at a time, because replay needs that.
 */
export class LiveTransaction {
  readonly #lock = new Mutex();
  readonly #root = CancellationScope.current();
  readonly #listeners: (() => void)[] = [];
  #shown: Attributes;
  #savedVersion: number;
  #savedAnswers: TransactionState['answers'];
  #workInProgress = 0;

  constructor(private held: TransactionState) {
    this.#savedVersion = held.version;
    this.#savedAnswers = held.answers;
    this.#shown = attributesOf(held);
    setCurrentDetails(operatorPanel(held));
  }

  get state(): TransactionState {
    return this.held;
  }

  /** Whether work is in progress that the workflow must finish before it ends: inside the lock, or in `track`. */
  get busy(): boolean {
    return this.#workInProgress > 0 || this.#lock.isLocked();
  }

  /** Whether the state has changes that are not in the record. */
  get unsaved(): boolean {
    return this.#savedVersion !== this.held.version;
  }

  /**
   * Runs `work` inside the lock, in the order of the calls. A cancellation does not interrupt it. Not reentrant: `work` must not
   * call `exclusive`.
   */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#lock.runExclusive(() => CancellationScope.nonCancellable(work));
  }

  /** Replaces the state. Only inside `exclusive`. */
  change(next: TransactionState): void {
    if (!this.#lock.isLocked()) throw new Error('The state was changed outside `exclusive`: this is a bug.');
    this.#replace(this.#nextVersion(next));
  }

  /** Calls `listener` after every change. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Remembers answers without a new version: an answer belongs to the change that its command has made. */
  rememberAnswers(answers: readonly RememberedAnswer[]): void {
    this.held = { ...this.held, answers: [...answers] };
  }

  /** Saves the record with all answers, also those remembered after the last save. Only inside `exclusive`. */
  async saveAnswers(): Promise<void> {
    if (this.held.answers !== this.#savedAnswers) this.change(this.held);
    await this.save();
  }

  /** Saves the record. Returns when it is durable in Postgres. Only inside `exclusive`. */
  async save(): Promise<void> {
    this.#updateSearchAttributes();
    await this.#overwriteStale(await this.#save({ state: this.held }));
  }

  /**
   * Counts an attempt at a code against its destination and saves the outcome in one database transaction. Returns the outcome
   * that was saved. Only inside `exclusive`.
   */
  async saveAttempt<Outcome extends { state: TransactionState }>(
    claim: AttemptClaim,
    { granted, rejected }: AttemptOutcomes<Outcome>,
  ): Promise<Outcome> {
    const ifGranted = this.#nextVersion(granted.state);
    const ifRejected = this.#nextVersion(rejected.state);
    const saved = await this.#save({ state: ifGranted, attempt: { ...claim, ifRejected } });
    // Keep the answers that were remembered during the save.
    this.#replace({ ...(saved.granted ? ifGranted : ifRejected), answers: this.held.answers });
    this.#updateSearchAttributes();
    await this.#overwriteStale(saved);
    return saved.granted ? granted : rejected;
  }

  /**
   * A worker that died may have saved a state that Temporal does not know. It is overwritten with a higher version, so that every
   * reader gets the state of the workflow. See docs/decisions/0027.
   */
  async #overwriteStale({ conflictingVersion }: RecordSaved): Promise<void> {
    this.#savedVersion = this.held.version;
    if (conflictingVersion === undefined) return;
    // The timer fires only on the worker that Temporal still accepts: a worker that was replaced must not overwrite anything.
    await sleep(1, { summary: 'overwrite the stale record' });
    this.held = { ...this.held, version: conflictingVersion + 1 };
    await this.#overwriteStale(await this.#save({ state: this.held }));
  }

  async #save(record: RecordToSave): Promise<RecordSaved> {
    this.#savedAnswers = record.state.answers;
    try {
      return await saveRecord(record);
    } catch (error) {
      // After its last attempt, a local activity throws its cause. Whatever it is, the database is unavailable.
      if (isCancellation(error)) throw error;
      return saveRecordWhenPossible(record);
    }
  }

  /** Tracks work outside the lock that the workflow must finish before it ends, such as sending a message. */
  async track<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#workInProgress += 1;
    try {
      return await work();
    } finally {
      this.#workInProgress -= 1;
    }
  }

  /** A scope for background work: an operator's cancel stops the work, and not the handler that started it. */
  newScope(): CancellationScope {
    return new CancellationScope({ cancellable: true, parent: this.#root });
  }

  /** Runs work in the background until it ends or its scope is cancelled. An unexpected error is logged, then `failed` is called. */
  inBackground(
    scope: CancellationScope,
    name: string,
    work: () => Promise<void>,
    failed: (error: unknown) => Promise<void> | void = () => undefined,
  ): void {
    void scope.run(work).catch((error: unknown) => {
      if (isCancellation(error)) return undefined;
      logUnexpected(name, error);
      return failed(error);
    });
  }

  #nextVersion(next: TransactionState): TransactionState {
    const at = now();
    return { ...advanceRuns(next, at), version: this.held.version + 1, changedAt: at };
  }

  #replace(next: TransactionState): void {
    this.held = next;
    setCurrentDetails(operatorPanel(next));
    for (const listener of this.#listeners) listener();
  }

  /** Writes the search attributes that changed. Unchanged ones are not written, because each write adds an event to history. */
  #updateSearchAttributes(): void {
    const attributes = attributesOf(this.held);
    const changed = shownAttributes.filter((name) => attributes[name] !== this.#shown[name]);
    if (changed.length > 0)
      upsertSearchAttributes(changed.map((name) => ({ key: searchAttributes[name], value: attributes[name] ?? null })));
    this.#shown = attributes;
  }
}

/** Logs an unexpected error. Only its name and stack: its message may contain personal data. */
export function logUnexpected(name: string, error: unknown): void {
  const { name: failure = 'unknown', stack = '' } = error instanceof Error ? error : {};
  const type = error instanceof ApplicationFailure ? error.type : failure;
  const where = stack.split('\n').filter((line) => /^\s+at /.test(line));
  log.error('unexpected error in a transaction', { command: name, failure: type, where: where.slice(0, 8) });
}
