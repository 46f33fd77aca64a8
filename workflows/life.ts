import {
  CancellationScope,
  condition,
  isCancellation,
  patched,
  sleep,
  upsertSearchAttributes,
  setCurrentDetails,
} from '@temporalio/workflow';
import { settleRuns } from '../domain/flows/settle-runs';
import { type Attributes, attributesOf, type EarlierRule, operatorPanel } from '../domain/operator-panel';
import type { RememberedAnswer, TransactionState } from '../domain/state';
import { recordAtOnce, recordWhenPossible } from './activities';
import { searchAttributes, shownAttributes } from './contract';
import type { GuessClaim, RecordKept, RecordToKeep } from './ports';

/** The instant the current workflow task sees, as state keeps instants. */
export function now(): string {
  return new Date().toISOString();
}

/** Milliseconds until an instant, for a timer: one at least. */
export const inMs = (instant: string): number => Math.max(1, Date.parse(instant) - Date.now());

/** Both ends of a guess: let through, or refused because its phone or mailbox has no budget left. */
export type GuessPlan<Outcome> = (state: TransactionState) => { charge: boolean; granted: Outcome; refused: Outcome };

/** By rule, the patch since which it is no longer what operators search by. */
const patchOf = {
  linksDoNotCount: 'status-counts-links',
  newestRunStands: 'search-shows-what-runs',
} as const satisfies Record<EarlierRule, string>;

const earlierRules = Object.keys(patchOf) as EarlierRule[];

/** The one state of a running transaction: every change goes through here, and is shown to operators as it happens. */
export class Life {
  readonly #root = CancellationScope.current();
  #shown: Attributes;
  #keeping = false;
  #indexPutOff = false;

  constructor(private held: TransactionState) {
    this.#shown = this.#attributes();
    this.#show();
  }

  /** A scope for what goes on beside a handler: an operator's cancel ends it, and does not end the handler. */
  newScope(): CancellationScope {
    const current = CancellationScope.current();
    return new CancellationScope({ cancellable: true, parent: current.cancellable ? current : this.#root });
  }

  get state(): TransactionState {
    return this.held;
  }

  /** Takes the next state over. Synchronous, so that no other handler sees a change half made. */
  change(next: TransactionState): void {
    this.#hold(Life.#raised(next, this.held));
  }

  /**
   * Keeps the state in Postgres. Returns once the state of this moment, or a later one, is durable there. Every call is
   * a local activity, even when a later state was kept meanwhile: how many there are may depend on what history has of
   * their results, and not on when a result is heard of.
   */
  async save(): Promise<void> {
    if (this.#indexPutOff) {
      this.#indexPutOff = false;
      this.#index();
    }
    await this.alone(() => this.#keepHeld());
  }

  /** A state that Temporal never heard of gives way: whoever read of it, or was refused by it, is told what holds. */
  async #keepHeld(): Promise<void> {
    let { passedBy } = await this.#keep({ state: this.held });
    while (passedBy !== undefined) {
      // Only a worker to which Temporal still listens gets past a timer: one that was given up must not go first.
      await sleep(1, { summary: 'keep the record instead of a dead worker’s' });
      this.held = { ...this.held, version: passedBy + 1 };
      ({ passedBy } = await this.#keep({ state: this.held }));
    }
  }

  /** Puts off what operators search the transaction by until its record is next kept: what is sent first need not wait for it. */
  searchWithRecord(): void {
    this.#indexPutOff = true;
  }

  /**
   * Charges a guess to its destination and keeps the outcome, both or neither, then takes the outcome over.
   * The plan is made again when the state has moved on meanwhile, so it must depend on the state alone.
   */
  async chargeGuess<Outcome extends { state: TransactionState }>(
    claim: Omit<GuessClaim, 'charge'>,
    plan: GuessPlan<Outcome>,
  ): Promise<Outcome> {
    const { taken, overtaken } = await this.alone(() => this.#charge(claim, plan));
    if (overtaken) await this.save();
    return taken();
  }

  async #charge<Outcome extends { state: TransactionState }>(
    claim: Omit<GuessClaim, 'charge'>,
    plan: GuessPlan<Outcome>,
  ): Promise<{ taken: () => Outcome; overtaken: boolean }> {
    const before = this.held;
    const planned = plan(before);
    const ifGranted = Life.#raised(planned.granted.state, before);
    const ifRefused = Life.#raised(planned.refused.state, before);
    const guess = { ...claim, charge: planned.charge, ifRefused };
    const { granted, passedBy } = await this.#keep({ state: ifGranted, guess });
    if (this.held === before) {
      this.#hold(granted ? ifGranted : ifRefused);
      return { taken: () => (granted ? planned.granted : planned.refused), overtaken: passedBy !== undefined };
    }
    // The state moved while the guess was charged: what was kept is overtaken, whatever comes of the guess now.
    try {
      const anew = plan(this.held);
      const taken = granted ? anew.granted : anew.refused;
      this.change(taken.state);
      return { taken: () => taken, overtaken: true };
    } catch (error) {
      // What was kept was no state of this life: a higher version has the next record replace it.
      this.change(this.held);
      // Whoever guessed is refused once that record is kept.
      const taken = () => {
        throw error;
      };
      return { taken, overtaken: true };
    }
  }

  /**
   * Runs one step of a local activity; the next waits. Two local activities at once can end in one order in the first
   * run and in another in replay, and then the history no longer fits the code.
   */
  async alone<Result>(step: () => Promise<Result>): Promise<Result> {
    while (this.#keeping) await condition(() => !this.#keeping);
    this.#keeping = true;
    try {
      return await step();
    } finally {
      this.#keeping = false;
    }
  }

  /** Takes answers over without a new version: an answer is part of the change that it tells of. */
  keepAnswers(answers: readonly RememberedAnswer[]): void {
    this.held = { ...this.held, answers: [...answers] };
  }

  async #keep(record: RecordToKeep): Promise<RecordKept> {
    try {
      return await recordAtOnce(record);
    } catch (error) {
      // A local activity that fails for good throws its bare cause, so whatever it is means that the database is away.
      if (isCancellation(error)) throw error;
      return recordWhenPossible(record);
    }
  }

  #hold(next: TransactionState): void {
    this.held = next;
    this.#show();
  }

  static #raised(next: TransactionState, before: TransactionState): TransactionState {
    const at = now();
    return { ...settleRuns(next, at), version: before.version + 1, changedAt: at };
  }

  /** As the code that began this stretch of history told them. A patch is asked for only where it matters: the answer is an event. */
  #attributes(): Attributes {
    const told = attributesOf(this.held);
    const matters = (rule: EarlierRule) => {
      const toldBefore = attributesOf(this.held, [rule]);
      return shownAttributes.some((name) => told[name] !== toldBefore[name]);
    };
    const earlier = earlierRules.filter((rule) => matters(rule) && !patched(patchOf[rule]));
    return attributesOf(this.held, earlier);
  }

  #show(): void {
    setCurrentDetails(operatorPanel(this.held));
    this.#index();
  }

  /** Writes what operators search by. */
  #index(): void {
    if (this.#indexPutOff) return;
    const attributes = this.#attributes();
    // What is unchanged is not written: each write is an event that history keeps.
    const changed = shownAttributes.filter((name) => attributes[name] !== this.#shown[name]);
    if (changed.length > 0)
      upsertSearchAttributes(changed.map((name) => ({ key: searchAttributes[name], value: attributes[name] ?? null })));
    this.#shown = attributes;
  }
}
