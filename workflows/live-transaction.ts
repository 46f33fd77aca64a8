import { Mutex } from 'async-mutex';
import {
  type ApplicationFailure,
  CancellationScope,
  isCancellation,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { AttemptOutcome, AttemptOutcomes } from '../domain/confirmations/check-code';
import { advanceRuns } from '../domain/flows/advance-runs';
import { operatorPanel, searchAttributesOf, type SearchAttributeValues } from '../domain/operator-panel/operator-panel';
import type { RememberedResponse, TransactionState } from '../domain/transactions/state';
import { saveRecord, saveRecordWhenPossible } from './activities';
import { searchAttributes, stateSearchAttributes } from './contract/start';
import { BackgroundWork } from './background-work';
import { isNotSaved, recordAheadFailure, recordNotSavedFailure } from './failures';
import { type AttemptToCount, recordNotSavedType, type RecordToSave, type SaveResult } from './contract/activities';

/** The time of the current workflow task, as the state stores it (ISO 8601). */
export function now(): string {
  return new Date().toISOString();
}

/** The milliseconds until an instant, for a timer. At least 1. */
export const msUntil = (instant: string): number => Math.max(1, Date.parse(instant) - Date.now());

/**
 * The state of a running transaction, and the lock that every change of it needs. No provider call happens inside the lock. Every local
 * activity runs inside the lock, one at a time: a replay ends local activities that run at the same time in the order of their starts.
 */
export class LiveTransaction {
  readonly #lock = new Mutex();
  /** The time of the `runExclusive` call whose work has the lock now. */
  #at = now();
  /** What no command waits for. It stops if an operator cancels the workflow, or if this workflow run ends for another one. */
  readonly background = new BackgroundWork();
  readonly #listeners: (() => void)[] = [];
  #writtenAttributes: SearchAttributeValues;
  #savedVersion: number;
  /** The responses in the record. Undefined if it is not known which of them the record has. */
  #savedResponses: TransactionState['responses'] | undefined;
  /** The state of the last record. At first, the state with which this workflow run started. */
  #savedState: TransactionState;
  #saveCount = 0;
  #workInProgress = 0;
  /** Why all further work fails, because the next workflow run continues the transaction. */
  #endFailure: ApplicationFailure | undefined;

  /**
   * `savedVersion`: the version of the newest record that the workflow knows. Absent if the state is the record. If not, the state can have
   * changes and responses that are not in the record.
   */
  constructor(
    private currentState: TransactionState,
    savedVersion?: number,
  ) {
    this.#savedVersion = savedVersion ?? currentState.version;
    this.#savedState = currentState;
    this.#savedResponses = savedVersion === undefined ? currentState.responses : undefined;
    this.#writtenAttributes = searchAttributesOf(currentState);
    setCurrentDetails(operatorPanel(currentState));
  }

  get state(): TransactionState {
    return this.currentState;
  }

  /** The version of the newest record that this workflow knows. */
  get savedVersion(): number {
    return this.#savedVersion;
  }

  /** How often this workflow run has saved the record, and found that it was not ahead. */
  get saveCount(): number {
    return this.#saveCount;
  }

  /** Whether the next workflow run must continue the transaction, from `state`. No work inside the lock starts any more. */
  get isEnding(): boolean {
    return this.#endFailure !== undefined;
  }

  /** Whether this workflow run is ending because a change could not be saved. */
  get hasFailedToSave(): boolean {
    return this.#endFailure?.type === recordNotSavedType;
  }

  /** Whether some work must finish before this workflow run ends: work inside the lock, or inside `keepRunningDuring`. */
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
   * after a local activity can show another time than in the first run. Throws if this workflow run is ending.
   */
  runExclusive<Result>(work: (at: string) => Promise<Result>): Promise<Result> {
    const at = now();
    return this.#lock.runExclusive(() => {
      if (this.#endFailure) throw this.#endFailure;
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
   * Keeps the responses to commands, for repeats with the same idempotency key. The next save writes them.
   */
  rememberResponses(responses: readonly RememberedResponse[]): void {
    this.currentState = { ...this.currentState, responses: [...responses] };
  }

  /**
   * Saves the record, with all responses remembered since the last save. Returns when it is durable in Postgres. `withResponse`: adds the
   * response of the current command to the state. So this record and all later ones have it, and a repeat of this command gets the response,
   * even if this worker dies before Temporal knows the response. Call this only inside `runExclusive`. Throws if the record is ahead of this
   * workflow.
   */
  async save(withResponse: (state: TransactionState) => TransactionState = (state) => state): Promise<void> {
    this.#updateSearchAttributes();
    this.currentState = withResponse(this.currentState);
    // A record is written only with a higher version. For readers, a response changes nothing, so the time of the last change stays.
    if (this.currentState.responses !== this.#savedResponses && !this.hasUnsavedChanges)
      this.currentState = { ...this.currentState, version: this.currentState.version + 1 };
    await this.#save({ state: this.currentState });
    this.#savedVersion = this.currentState.version;
  }

  /**
   * Counts an attempt at a code against the limits of its phone or mailbox, and saves its outcome, in one database transaction. Returns
   * the answer of the outcome that was saved. `withResponse`: see `save`. Call this only inside `runExclusive`. Throws if the record is ahead of this
   * workflow.
   */
  async saveAttempt(
    attempt: AttemptToCount,
    { allowed, rejected }: AttemptOutcomes<AttemptOutcome>,
    withResponse: (state: TransactionState, answer: AttemptOutcome['answer']) => TransactionState,
  ): Promise<AttemptOutcome['answer']> {
    const allowedState = this.#nextVersion(allowed.state);
    const rejectedState = this.#nextVersion(rejected.state);
    const saved = await this.#save({
      state: withResponse(allowedState, allowed.answer),
      attempt: {
        ...attempt,
        stateIfRejected: differencesOf(
          withResponse(allowedState, allowed.answer),
          withResponse(rejectedState, rejected.answer),
        ),
      },
    });
    const [state, { answer }] = saved.attemptAllowed ? [allowedState, allowed] : [rejectedState, rejected];
    // Keep the responses that were remembered during the save.
    this.#replace(withResponse({ ...state, responses: this.currentState.responses }, answer));
    this.#savedState = this.currentState;
    this.#updateSearchAttributes();
    this.#savedVersion = this.currentState.version;
    return answer;
  }

  /** If the record has a higher version than this workflow knows, continues from the record. `version`: the version of the record. */
  async compareWithRecord(version: number): Promise<void> {
    await this.runExclusive(async () => {
      if (version > this.#savedVersion) await this.save();
    });
  }

  async #save(change: Omit<RecordToSave, 'savedVersion'>): Promise<SaveResult> {
    const record = { ...change, savedVersion: this.#savedVersion };
    this.#savedResponses = record.state.responses;
    const result = await this.#saveOrUndo(record);
    if (result.newerRecord) this.#endRun(result.newerRecord, result.newerRecord.version, recordAheadFailure());
    this.#savedState = this.currentState;
    this.#saveCount += 1;
    return result;
  }

  /** If the record cannot be saved, the next workflow run continues from the last saved state, which undoes the change. */
  async #saveOrUndo(record: RecordToSave): Promise<SaveResult> {
    try {
      return await saveRecord(record).catch((error: unknown) => {
        // If the last retry of the local activity fails, its error arrives here.
        if (isCancellation(error) || isNotSaved(error)) throw error;
        return saveRecordWhenPossible(record);
      });
    } catch (error) {
      if (isCancellation(error)) throw error;
      return this.#endRun(this.#savedState, this.#savedVersion, recordNotSavedFailure());
    }
  }

  /** Stops all work, so that the next workflow run continues from `state`. Throws `failure`, and so does all further work. */
  #endRun(state: TransactionState, savedVersion: number, failure: ApplicationFailure): never {
    this.#endFailure = failure;
    this.currentState = state;
    this.#savedVersion = savedVersion;
    this.#updateSearchAttributes();
    setCurrentDetails(operatorPanel(state));
    this.background.stop();
    throw failure;
  }

  /** Runs `work` outside the lock that takes seconds at most, such as one attempt to send a message. This workflow run does not end before. */
  async keepRunningDuring<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#workInProgress += 1;
    try {
      return await work();
    } finally {
      this.#workInProgress -= 1;
    }
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

/** The fields of `other` that differ from `state`. A field that only `state` has is undefined. */
function differencesOf(state: TransactionState, other: TransactionState): Partial<TransactionState> {
  const names = Object.keys({ ...state, ...other }) as (keyof TransactionState)[];
  return Object.fromEntries(names.filter((name) => state[name] !== other[name]).map((name) => [name, other[name]]));
}
