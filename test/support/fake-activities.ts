import { ApplicationFailure } from '@temporalio/common';
import type { FaceFindings } from '../../domain/biometrics/biometrics';
import type { Assessment } from '../../domain/scoring/assessment';
import { defaultPolicy } from '../../domain/scoring/default-policy';
import { deriveRunSecrets } from '../../activities/flow-steps';
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

/** The result of the fake provider for a message. */
export type DeliveryResult = 'accept' | 'outage' | DomainErrorType;

/** The result of the caller's server for an event. */
export type WebhookResult = 'accept' | 'outage' | NonNullable<CallerNotice['reason']>;

/** The activities in memory: by default, every message is accepted and every record saved. */
export class FakeActivities implements Activities {
  readonly messages: MessageToDeliver[] = [];
  readonly records = new Map<string, TransactionState>();
  readonly deliveryResults: DeliveryResult[] = [];
  /** Every message that was attempted, accepted or not. */
  readonly deliveryAttempts: MessageToDeliver[] = [];
  /** The provider responds after this. */
  providerReady: Promise<void> = Promise.resolve();
  /** The result of every assessment. */
  assessment: Assessment = {
    evidence: { document: { kind: 'CPF', checkDigits: 'right', repeated: false, alphanumeric: false } },
    policy: defaultPolicy,
  };
  /** Reassessments that callers requested. */
  readonly reassessments: Reassessment[] = [];
  /** The results of the next reassessments, one entry each; then they succeed. */
  readonly reassessmentResults: ('success' | 'outage' | 'error' | 'wait')[] = [];
  /** The first assessment, and reassessments with the result `wait`, end after these. */
  firstAssessment: Promise<void> = Promise.resolve();
  laterAssessment: Promise<void> = Promise.resolve();
  /** Attempts to save a record that fail, like during a database outage. */
  recordOutages = 0;
  /** How many of the next records conflict with the state of a dead worker. */
  recordConflicts = 0;
  /** False rejects every attempt, as if its phone or mailbox had reached its limit. */
  grantsAttempts = true;

  /** The findings of the face verifier; null without a verifier. */
  faces: FaceFindings | null = null;
  /** How often the face verifier fails before it responds. */
  faceOutages = 0;
  /** The face verifier responds after this. */
  verifierReady: Promise<void> = Promise.resolve();
  readonly verifiedImages: ImagesToVerify[] = [];
  readonly erasures: ImagesToErase[] = [];
  /** Every event that was sent to the caller's server, accepted or not. */
  readonly callerEvents: CallerEvent[] = [];
  /** The results of the next events, one entry each; then they are accepted. */
  readonly webhookResults: WebhookResult[] = [];
  /** The result for one transaction; undefined uses the lists above. */
  deliveryResultFor = (_message: MessageToDeliver): DeliveryResult | undefined => undefined;
  webhookResultFor = (_event: CallerEvent): WebhookResult | undefined => undefined;
  /** Called before a message or an erasure. */
  beforeDelivering = (): void => undefined;
  beforeErasing = (): void => undefined;
  /** A record is saved after this. */
  beforeSaving = async (): Promise<void> => undefined;

  verifyFaces = async (images: ImagesToVerify): Promise<FaceFindings | null> => {
    if (this.faceOutages-- > 0) throw new Error('the verifier is not available');
    this.verifiedImages.push(images);
    await this.verifierReady;
    return this.faces;
  };

  eraseImages = async (images: ImagesToErase): Promise<{ erased: number }> => {
    this.beforeErasing();
    this.erasures.push(images);
    return { erased: 3 };
  };

  /** The index of the rule that holds in a decision. */
  rule = (_facts: DecisionFacts, _conditions: readonly string[]): number | null => null;

  digestCode = deriveRunSecrets(testKeys).digestCode;
  hashLink = deriveRunSecrets(testKeys).hashLink;

  chooseRule = async ({ facts, conditions }: RulesToChooseFrom): Promise<{ rule: number | null }> => ({
    rule: this.rule(facts, conditions),
  });

  notifyCaller = async (event: CallerEvent): Promise<CallerNotice> => {
    this.callerEvents.push(event);
    const result = this.webhookResultFor(event) ?? this.webhookResults.shift() ?? 'accept';
    if (result === 'outage') throw ApplicationFailure.retryable('the caller is not available', 'CallerAway');
    return result === 'accept' ? { delivered: true } : { delivered: false, reason: result };
  };

  assessTransaction = async (state: TransactionState): Promise<Assessment> => {
    await this.firstAssessment;
    this.#save(withAssessment(state, this.assessment));
    return this.assessment;
  };

  reassessTransaction = async (reassessment: Reassessment): Promise<Assessment> => {
    this.reassessments.push(reassessment);
    const { assessment } = this;
    const result = this.reassessmentResults.shift() ?? 'success';
    if (result === 'wait') await this.laterAssessment;
    if (result === 'outage') throw new Error('the database is not available');
    if (result === 'error') throw ApplicationFailure.nonRetryable('The analysis failed.', 'AnalysisFailed');
    return assessment;
  };

  deliverMessage = async (message: MessageToDeliver): Promise<Delivered> => {
    this.beforeDelivering();
    this.deliveryAttempts.push(message);
    await this.providerReady;
    const result = this.deliveryResultFor(message) ?? this.deliveryResults.shift() ?? 'accept';
    if (result === 'outage') throw new Error('the provider is not available');
    if (result !== 'accept') throw ApplicationFailure.nonRetryable('refused', result, { providerCode: '21211' });
    this.messages.push(message);
    return { providerId: `SM${this.messages.length}` };
  };

  saveRecord = async ({ state, attempt }: RecordToSave): Promise<RecordSaved> => {
    await this.beforeSaving();
    if (this.recordOutages > 0) {
      this.recordOutages -= 1;
      throw new Error('the database is not available');
    }
    const granted = !attempt || this.grantsAttempts;
    if (this.recordConflicts > 0) {
      this.recordConflicts -= 1;
      this.records.set(state.id, { ...state, version: state.version + 1, changedAt: 'never', confirmations: [] });
    }
    const conflictingVersion = this.#save(granted ? state : attempt.ifRejected);
    return { granted, ...(conflictingVersion !== undefined && { conflictingVersion }) };
  };

  /** Like the SQL statement: returns the version of another saved state. */
  #save(state: TransactionState): number | undefined {
    const saved = this.records.get(state.id);
    if (!saved || saved.version < state.version) this.records.set(state.id, state);
    else if (saved.version !== state.version || saved.changedAt !== state.changedAt) return saved.version;
    return undefined;
  }
}
