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
export type DeliveryResult = 'accept' | 'outage' | DomainErrorType;

/** What the caller's server does with an event. */
export type WebhookResult = 'take' | 'away' | NonNullable<CallerNotice['reason']>;

/** The outside world in memory: it takes every message and keeps every record. */
export class FakeActivities implements Activities {
  readonly messages: MessageToDeliver[] = [];
  readonly records = new Map<string, TransactionState>();
  readonly deliveryResults: DeliveryResult[] = [];
  /** Every message that was tried, taken or not. */
  readonly deliveryAttempts: MessageToDeliver[] = [];
  /** The provider answers no sooner than this. */
  providerReady: Promise<void> = Promise.resolve();
  /** What every look finds. */
  assessment: Assessment = {
    evidence: { document: { kind: 'CPF', checkDigits: 'right', repeated: false, alphanumeric: false } },
    policy: defaultPolicy,
  };
  /** Looks that callers asked for. */
  readonly reassessments: Reassessment[] = [];
  /** What becomes of the next of them, one entry each; the rest find. */
  readonly reassessmentResults: ('find' | 'outage' | 'fault' | 'wait')[] = [];
  /** The first look, and later ones whose fate is `wait`, end no sooner than these. */
  firstAssessment: Promise<void> = Promise.resolve();
  laterAssessment: Promise<void> = Promise.resolve();
  /** Attempts to keep a record that fail, as when the database is away. */
  recordOutages = 0;
  /** How many of the next records find another state, of a worker that died. */
  recordConflicts = 0;
  /** False refuses every guess, as if its phone or mailbox had no budget left. */
  grantsAttempts = true;

  /** What the face verifier finds; null: there is none. */
  faces: FaceFindings | null = null;
  /** How often the face verifier is away before it answers. */
  faceOutages = 0;
  /** It answers no sooner than this. */
  verifierReady: Promise<void> = Promise.resolve();
  readonly verifiedImages: ImagesToVerify[] = [];
  readonly erasures: ImagesToErase[] = [];
  /** Every event that the caller's server was tried with, taken or not. */
  readonly callerEvents: CallerEvent[] = [];
  /** What it does with the next of them, one entry each; the rest are taken. */
  readonly webhookResults: WebhookResult[] = [];
  /** The same for one transaction among several, asked first; undefined leaves it to the lists. */
  deliveryResultFor = (_message: MessageToDeliver): DeliveryResult | undefined => undefined;
  webhookResultFor = (_event: CallerEvent): WebhookResult | undefined => undefined;
  /** What a test looks at when a message or an erasure begins. */
  beforeDelivering = (): void => undefined;
  beforeErasing = (): void => undefined;
  /** A record is saved no sooner than this. */
  beforeSaving = async (): Promise<void> => undefined;

  verifyFaces = async (images: ImagesToVerify): Promise<FaceFindings | null> => {
    if (this.faceOutages-- > 0) throw new Error('the verifier is away');
    this.verifiedImages.push(images);
    await this.verifierReady;
    return this.faces;
  };

  eraseImages = async (images: ImagesToErase): Promise<{ erased: number }> => {
    this.beforeErasing();
    this.erasures.push(images);
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
    this.callerEvents.push(event);
    const result = this.webhookResultFor(event) ?? this.webhookResults.shift() ?? 'take';
    if (result === 'away') throw ApplicationFailure.retryable('the caller is away', 'CallerAway');
    return result === 'take' ? { delivered: true } : { delivered: false, reason: result };
  };

  assessTransaction = async (state: TransactionState): Promise<Assessment> => {
    await this.firstAssessment;
    this.#save(withAssessment(state, this.assessment));
    return this.assessment;
  };

  reassessTransaction = async (reassessment: Reassessment): Promise<Assessment> => {
    this.reassessments.push(reassessment);
    const { assessment } = this;
    const result = this.reassessmentResults.shift() ?? 'find';
    if (result === 'wait') await this.laterAssessment;
    if (result === 'outage') throw new Error('the database is away');
    if (result === 'fault') throw ApplicationFailure.nonRetryable('The analysis failed.', 'AnalysisFailed');
    return assessment;
  };

  deliverMessage = async (message: MessageToDeliver): Promise<Delivered> => {
    this.beforeDelivering();
    this.deliveryAttempts.push(message);
    await this.providerReady;
    const result = this.deliveryResultFor(message) ?? this.deliveryResults.shift() ?? 'accept';
    if (result === 'outage') throw new Error('the provider is away');
    if (result !== 'accept') throw ApplicationFailure.nonRetryable('refused', result, { providerCode: '21211' });
    this.messages.push(message);
    return { providerId: `SM${this.messages.length}` };
  };

  saveRecord = async ({ state, guess }: RecordToSave): Promise<RecordSaved> => {
    await this.beforeSaving();
    if (this.recordOutages > 0) {
      this.recordOutages -= 1;
      throw new Error('the database is away');
    }
    const granted = !guess || this.grantsAttempts;
    if (this.recordConflicts > 0) {
      this.recordConflicts -= 1;
      this.records.set(state.id, { ...state, version: state.version + 1, changedAt: 'never', confirmations: [] });
    }
    const conflictingVersion = this.#save(granted ? state : guess.ifRefused);
    return { granted, ...(conflictingVersion !== undefined && { conflictingVersion }) };
  };

  /** As the statement does: gives the version of another state that is there instead. */
  #save(state: TransactionState): number | undefined {
    const saved = this.records.get(state.id);
    if (!saved || saved.version < state.version) this.records.set(state.id, state);
    else if (saved.version !== state.version || saved.changedAt !== state.changedAt) return saved.version;
    return undefined;
  }
}
