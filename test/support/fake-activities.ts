import { ApplicationFailure } from '@temporalio/common';
import type { FaceFindings } from '../../domain/biometrics/biometrics';
import type { Assessment } from '../../domain/scoring/assessment';
import { defaultPolicy } from '../../domain/scoring/default-policy';
import { deriveForRun } from '../../activities/flow-steps';
import type { DecisionFacts } from '../../domain/flows/facts-of';
import type { DomainErrorType } from '../../domain/domain-error';
import { withAssessment } from '../../domain/outcome';
import type { TransactionState } from '../../domain/state';
import { testKeys } from './build';
import type {
  Activities,
  Reassessment,
  CallerEvent,
  CallerNotice,
  Delivered,
  ImagesToErase,
  ImagesToVerify,
  MessageToDeliver,
  RecordSaved,
  RecordToSave,
  RulesToChooseFrom,
} from '../../workflows/ports';

/** What a fake provider does with the next messages, one entry each; the rest is accepted. */
export type Fate = 'accept' | 'outage' | DomainErrorType;

/** What the caller's server does with an event. */
export type NoticeFate = 'take' | 'away' | NonNullable<CallerNotice['reason']>;

/** The outside world in memory: it takes every message and keeps every record. */
export class FakeActivities implements Activities {
  readonly messages: MessageToDeliver[] = [];
  readonly records = new Map<string, TransactionState>();
  readonly fates: Fate[] = [];
  /** Every message that was tried, taken or not. */
  readonly attempted: MessageToDeliver[] = [];
  /** The provider answers no sooner than this. */
  providerAnswers: Promise<void> = Promise.resolve();
  /** What every look finds. */
  found: Assessment = {
    evidence: { document: { kind: 'CPF', checkDigits: 'right', repeated: false, alphanumeric: false } },
    policy: defaultPolicy,
  };
  /** Looks that callers asked for. */
  readonly looks: Reassessment[] = [];
  /** What becomes of the next of them, one entry each; the rest find. */
  readonly lookFates: ('find' | 'outage' | 'fault' | 'wait')[] = [];
  /** The first look, and later ones whose fate is `wait`, end no sooner than these. */
  firstLook: Promise<void> = Promise.resolve();
  laterLook: Promise<void> = Promise.resolve();
  /** Attempts to keep a record that fail, as when the database is away. */
  recordOutages = 0;
  /** How many of the next records find another state, of a worker that died. */
  passes = 0;
  /** False refuses every guess, as if its phone or mailbox had no budget left. */
  grantsGuesses = true;

  /** What the face verifier finds; null: there is none. */
  faces: FaceFindings | null = null;
  /** How often the face verifier is away before it answers. */
  faceOutages = 0;
  /** It answers no sooner than this. */
  verifierAnswers: Promise<void> = Promise.resolve();
  readonly verified: ImagesToVerify[] = [];
  readonly erasures: ImagesToErase[] = [];
  /** Every event that the caller's server was tried with, taken or not. */
  readonly notified: CallerEvent[] = [];
  /** What it does with the next of them, one entry each; the rest are taken. */
  readonly noticeFates: NoticeFate[] = [];
  /** The same for one transaction among several, asked first; undefined leaves it to the lists. */
  fateOf = (_message: MessageToDeliver): Fate | undefined => undefined;
  noticeFateOf = (_event: CallerEvent): NoticeFate | undefined => undefined;
  /** What a test looks at when a message or an erasure begins. */
  beforeDelivering = (): void => undefined;
  beforeErasing = (): void => undefined;
  /** A record is saved no sooner than this. */
  beforeSaving = async (): Promise<void> => undefined;

  verifyFaces = async (images: ImagesToVerify): Promise<FaceFindings | null> => {
    if (this.faceOutages-- > 0) throw new Error('the verifier is away');
    this.verified.push(images);
    await this.verifierAnswers;
    return this.faces;
  };

  eraseImages = async (asked: ImagesToErase): Promise<{ erased: number }> => {
    this.beforeErasing();
    this.erasures.push(asked);
    return { erased: 3 };
  };

  /** Which rule of a decision is true. */
  rule = (_facts: DecisionFacts, _conditions: readonly string[]): number | null => null;

  digestCode = deriveForRun(testKeys).digestCode;
  hashLink = deriveForRun(testKeys).hashLink;

  chooseRule = async ({ facts, conditions }: RulesToChooseFrom): Promise<{ rule: number | null }> => ({
    rule: this.rule(facts, conditions),
  });

  notifyCaller = async (event: CallerEvent): Promise<CallerNotice> => {
    this.notified.push(event);
    const fate = this.noticeFateOf(event) ?? this.noticeFates.shift() ?? 'take';
    if (fate === 'away') throw ApplicationFailure.retryable('the caller is away', 'CallerAway');
    return fate === 'take' ? { delivered: true } : { delivered: false, reason: fate };
  };

  assessTransaction = async (state: TransactionState): Promise<Assessment> => {
    await this.firstLook;
    this.#keep(withAssessment(state, this.found));
    return this.found;
  };

  reassessTransaction = async (looked: Reassessment): Promise<Assessment> => {
    this.looks.push(looked);
    const { found } = this;
    const fate = this.lookFates.shift() ?? 'find';
    if (fate === 'wait') await this.laterLook;
    if (fate === 'outage') throw new Error('the database is away');
    if (fate === 'fault') throw ApplicationFailure.nonRetryable('The analysis failed.', 'AnalysisFailed');
    return found;
  };

  deliverMessage = async (message: MessageToDeliver): Promise<Delivered> => {
    this.beforeDelivering();
    this.attempted.push(message);
    await this.providerAnswers;
    const fate = this.fateOf(message) ?? this.fates.shift() ?? 'accept';
    if (fate === 'outage') throw new Error('the provider is away');
    if (fate !== 'accept') throw ApplicationFailure.nonRetryable('refused', fate, { providerCode: '21211' });
    this.messages.push(message);
    return { providerId: `SM${this.messages.length}` };
  };

  saveRecord = async ({ state, guess }: RecordToSave): Promise<RecordSaved> => {
    await this.beforeSaving();
    if (this.recordOutages > 0) {
      this.recordOutages -= 1;
      throw new Error('the database is away');
    }
    const granted = !guess || this.grantsGuesses;
    if (this.passes > 0) {
      this.passes -= 1;
      this.records.set(state.id, { ...state, version: state.version + 1, changedAt: 'never', confirmations: [] });
    }
    const conflictingVersion = this.#keep(granted ? state : guess.ifRefused);
    return { granted, ...(conflictingVersion !== undefined && { conflictingVersion }) };
  };

  /** As the statement does: gives the version of another state that is there instead. */
  #keep(state: TransactionState): number | undefined {
    const known = this.records.get(state.id);
    if (!known || known.version < state.version) this.records.set(state.id, state);
    else if (known.version !== state.version || known.changedAt !== state.changedAt) return known.version;
    return undefined;
  }
}
