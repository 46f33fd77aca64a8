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

/** The instant the current workflow task sees, as the state keeps instants. */
export function now(): string {
  return new Date().toISOString();
}

/** Milliseconds until an instant, for a timer: one at least. */
export const inMs = (instant: string): number => Math.max(1, Date.parse(instant) - Date.now());

/** Both ends of a guess: granted, or refused because its phone or mailbox has no budget left. */
export interface AttemptOutcomes<Outcome extends { state: TransactionState }> {
  granted: Outcome;
  refused: Outcome;
}

/**
 * The one state of a running transaction, and the one lock that orders everything that changes it. Whoever changes the state
 * holds the lock; nobody waits for a provider inside it. So local activities never run side by side, which replay needs.
 */
export class LiveTransaction {
  readonly #lock = new Mutex();
  readonly #root = CancellationScope.current();
  readonly #listeners: (() => void)[] = [];
  #shown: Attributes;
  #savedVersion: number;
  #workInProgress = 0;

  constructor(private held: TransactionState) {
    this.#savedVersion = held.version;
    this.#shown = attributesOf(held);
    setCurrentDetails(operatorPanel(held));
  }

  get state(): TransactionState {
    return this.held;
  }

  /** Whether work is under way that the workflow may not leave behind: a command, or what `track` follows. */
  get busy(): boolean {
    return this.#workInProgress > 0 || this.#lock.isLocked();
  }

  /** Whether the record is behind the state. */
  get unsaved(): boolean {
    return this.#savedVersion !== this.held.version;
  }

  /**
   * Runs `work` after everything that asked before it, and nothing else meanwhile. A cancellation does not interrupt it. Not
   * reentrant: `work` must not call `exclusive`.
   */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#lock.runExclusive(() => CancellationScope.nonCancellable(work));
  }

  /** Takes the next state over. Only inside `exclusive`. */
  change(next: TransactionState): void {
    if (!this.#lock.isLocked()) throw new Error('The state was changed without the lock.');
    this.#hold(this.#raised(next));
  }

  /** Calls `listener` after every change. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Remembers answers without a new version: an answer is part of the change that it belongs to. */
  rememberAnswers(answers: readonly RememberedAnswer[]): void {
    this.held = { ...this.held, answers: [...answers] };
  }

  /** Saves the state in Postgres. Returns once it is durable there. Only inside `exclusive`. */
  async save(): Promise<void> {
    this.#index();
    await this.#overwriteStale(await this.#save({ state: this.held }));
  }

  /**
   * Charges a guess to its destination and saves the outcome, both or neither, then takes over the outcome that was saved. Only
   * inside `exclusive`.
   */
  async saveAttempt<Outcome extends { state: TransactionState }>(
    claim: AttemptClaim,
    { granted, refused }: AttemptOutcomes<Outcome>,
  ): Promise<Outcome> {
    const ifGranted = this.#raised(granted.state);
    const ifRefused = this.#raised(refused.state);
    const saved = await this.#save({ state: ifGranted, guess: { ...claim, ifRefused } });
    // Answers that were remembered while it was saved stay.
    this.#hold({ ...(saved.granted ? ifGranted : ifRefused), answers: this.held.answers });
    this.#index();
    await this.#overwriteStale(saved);
    return saved.granted ? granted : refused;
  }

  /**
   * A worker that died may have saved a state that Temporal never heard of. It is overwritten under a higher version, so that
   * whoever read it, or was refused by it, is told what holds. See docs/decisions/0027.
   */
  async #overwriteStale({ conflictingVersion }: RecordSaved): Promise<void> {
    this.#savedVersion = this.held.version;
    if (conflictingVersion === undefined) return;
    // A timer reaches only the worker that Temporal still listens to: one that was given up must not overwrite anything.
    await sleep(1, { summary: 'overwrite the stale record' });
    this.held = { ...this.held, version: conflictingVersion + 1 };
    await this.#overwriteStale(await this.#save({ state: this.held }));
  }

  async #save(record: RecordToSave): Promise<RecordSaved> {
    try {
      return await saveRecord(record);
    } catch (error) {
      // A local activity that fails for good throws its bare cause, so whatever it is means that the database is away.
      if (isCancellation(error)) throw error;
      return saveRecordWhenPossible(record);
    }
  }

  /** Follows work outside the lock that must end before the workflow does: a message on its way, a step that begins. */
  async track<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#workInProgress += 1;
    try {
      return await work();
    } finally {
      this.#workInProgress -= 1;
    }
  }

  /** A scope for what runs beside the handlers: an operator's cancel ends it, and does not end the handler. */
  newScope(): CancellationScope {
    return new CancellationScope({ cancellable: true, parent: this.#root });
  }

  /** Runs beside the handlers until it ends or its scope is cancelled. An error goes to `failed`, by default to the log. */
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

  #raised(next: TransactionState): TransactionState {
    const at = now();
    return { ...advanceRuns(next, at), version: this.held.version + 1, changedAt: at };
  }

  #hold(next: TransactionState): void {
    this.held = next;
    setCurrentDetails(operatorPanel(next));
    for (const listener of this.#listeners) listener();
  }

  /** Writes what operators search by. What is unchanged is not written: each write is an event that history keeps. */
  #index(): void {
    const attributes = attributesOf(this.held);
    const changed = shownAttributes.filter((name) => attributes[name] !== this.#shown[name]);
    if (changed.length > 0)
      upsertSearchAttributes(changed.map((name) => ({ key: searchAttributes[name], value: attributes[name] ?? null })));
    this.#shown = attributes;
  }
}

/** Logs an error that nobody foresaw. Its message may quote a person's data, so only its name and place are logged. */
export function logUnexpected(name: string, error: unknown): void {
  const { name: failure = 'unknown', stack = '' } = error instanceof Error ? error : {};
  const type = error instanceof ApplicationFailure ? error.type : failure;
  const where = stack.split('\n').filter((line) => /^\s+at /.test(line));
  log.error('unexpected error in a transaction', { command: name, failure: type, where: where.slice(0, 8) });
}
