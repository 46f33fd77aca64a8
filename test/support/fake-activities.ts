import { ApplicationFailure } from '@temporalio/common';
import type { FaceFindings } from '../../domain/biometrics/biometrics';
import type { EvidenceAndPolicy } from '../../domain/scoring/evidence-and-policy';
import { defaultPolicy } from '../../domain/scoring/default-policy';
import { createHashActivities } from '../../activities/flow-steps';
import type { DecisionFacts } from '../../domain/flows/decision-facts-of';
import { createDomainError, type DomainError, type DomainErrorType } from '../../domain/domain-error';
import { withAssessment } from '../../domain/outcome';
import type { TransactionState } from '../../domain/state';
import { testKeys } from './build';
import type {
  Activities,
  TransactionToReassess,
  NotifiedEvent,
  NotificationResult,
  SendReceipt,
  ImagesToErase,
  ImagesToVerify,
  MessageToDeliver,
  SaveResult,
  RecordToSave,
  RulesToChooseFrom,
} from '../../workflows/ports';

/** The result of the fake provider for a message. */
export type DeliveryResult = 'accept' | 'outage' | DomainErrorType;

/** The result of the caller's server for an event. */
export type WebhookResult = 'accept' | 'outage' | NonNullable<NotificationResult['reason']>;

/** The activities in memory: by default, every message is accepted and every record saved. */
export class FakeActivities implements Activities {
  /** The messages that the provider accepted. */
  readonly messages: MessageToDeliver[] = [];
  readonly records = new Map<string, TransactionState>();
  /** The results of the next messages, one entry each. Later messages are accepted. */
  readonly deliveryResults: DeliveryResult[] = [];
  /** Every message that was attempted, accepted or not. */
  readonly deliveryAttempts: MessageToDeliver[] = [];
  /** Every message that was reserved after an attempt with an unknown outcome. */
  readonly reservations: MessageToDeliver[] = [];
  /** Why the next reservations are rejected. */
  reservationRejection: DomainErrorType | undefined;
  /** How many of the next reservations fail, as during a database outage. */
  reservationOutages = 0;
  /** The provider responds when this promise resolves. */
  providerReady: Promise<void> = Promise.resolve();
  /** The result of every assessment. */
  assessment: EvidenceAndPolicy = {
    evidence: { document: { kind: 'CPF', checkDigits: 'right', repeated: false, alphanumeric: false } },
    policy: defaultPolicy,
  };
  /** Reassessments that callers requested. */
  readonly reassessments: TransactionToReassess[] = [];
  /** The results of the next reassessments, one entry each. Later ones succeed. */
  readonly reassessmentResults: ('success' | 'outage' | 'error' | 'wait')[] = [];
  /** The first assessment, and reassessments with the result `wait`, end when these promises resolve. */
  firstAssessmentReady: Promise<void> = Promise.resolve();
  reassessmentReady: Promise<void> = Promise.resolve();
  /** How many of the next attempts to save a record fail, as during a database outage. */
  savesToFail = 0;
  /** How many of the next records conflict with the state of a dead worker. */
  recordConflicts = 0;
  /** If false, every attempt is rejected, as if the phone or mailbox had reached its limit. */
  destinationHasAttemptsLeft = true;

  /** The findings of the face verifier; null without a verifier. */
  faceFindings: FaceFindings | null = null;
  /** How often the face verifier fails before it responds. */
  faceOutages = 0;
  /** The face verifier responds when this promise resolves. */
  verifierReady: Promise<void> = Promise.resolve();
  /** The images of every request to the face verifier. */
  readonly imagesSentToVerifier: ImagesToVerify[] = [];
  /** Every request to erase images. */
  readonly erasures: ImagesToErase[] = [];
  /** Every check whether a webhook accepted an event, one entry for each attempt. */
  readonly notificationChecks: NotifiedEvent[] = [];
  /** The results of the next events, one entry each. Later events are accepted. */
  readonly webhookResults: WebhookResult[] = [];
  /** The result for one message or event. If undefined, the lists above apply. */
  deliveryResultFor = (_message: MessageToDeliver): DeliveryResult | undefined => undefined;
  webhookResultFor = (_event: NotifiedEvent): WebhookResult | undefined => undefined;
  /** Called before a message is delivered, or images are erased. */
  beforeDelivering = (): void => undefined;
  beforeErasing = (): void => undefined;
  /** Called before a record is saved. */
  beforeSaving = async (_state: TransactionState): Promise<void> => undefined;

  verifyFaces = async (images: ImagesToVerify): Promise<FaceFindings | null> => {
    if (this.faceOutages-- > 0) throw new Error('the verifier is not available');
    this.imagesSentToVerifier.push(images);
    await this.verifierReady;
    return this.faceFindings;
  };

  eraseImages = async (images: ImagesToErase): Promise<{ erased: number }> => {
    this.beforeErasing();
    this.erasures.push(images);
    return { erased: 3 };
  };

  /** The index of the rule that holds in a decision. */
  findMatchingRule = (_facts: DecisionFacts, _conditions: readonly string[]): number | null => null;

  digestCode = createHashActivities(testKeys).digestCode;
  hashLink = createHashActivities(testKeys).hashLink;

  chooseRule = async ({ facts, conditions }: RulesToChooseFrom): Promise<{ rule: number | null }> => ({
    rule: this.findMatchingRule(facts, conditions),
  });

  checkNotification = async (event: NotifiedEvent): Promise<NotificationResult> => {
    this.notificationChecks.push(event);
    const result = this.webhookResultFor(event) ?? this.webhookResults.shift() ?? 'accept';
    if (result === 'outage') throw ApplicationFailure.retryable('the caller is not available', 'NotDelivered');
    return result === 'accept' ? { delivered: true } : { delivered: false, reason: result };
  };

  assessTransaction = async (state: TransactionState): Promise<EvidenceAndPolicy> => {
    await this.firstAssessmentReady;
    this.#save(withAssessment(state, this.assessment));
    return this.assessment;
  };

  reassessTransaction = async (reassessment: TransactionToReassess): Promise<EvidenceAndPolicy> => {
    this.reassessments.push(reassessment);
    const { assessment } = this;
    const result = this.reassessmentResults.shift() ?? 'success';
    if (result === 'wait') await this.reassessmentReady;
    if (result === 'outage') throw new Error('the database is not available');
    if (result === 'error') throw ApplicationFailure.nonRetryable('The analysis failed.', 'AnalysisFailed');
    return assessment;
  };

  reserveSend = async (message: MessageToDeliver): Promise<{ rejection?: DomainError }> => {
    this.reservations.push(message);
    if (this.reservationOutages-- > 0) throw new Error('the database is not available');
    const type = this.reservationRejection;
    return type ? { rejection: createDomainError(type, 'rejected', { retryAfterSeconds: 60 }) } : {};
  };

  deliverMessage = async (message: MessageToDeliver): Promise<SendReceipt> => {
    this.beforeDelivering();
    this.deliveryAttempts.push(message);
    await this.providerReady;
    const result = this.deliveryResultFor(message) ?? this.deliveryResults.shift() ?? 'accept';
    if (result === 'outage') throw new Error('the provider is not available');
    if (result !== 'accept') throw ApplicationFailure.nonRetryable('refused', result, { providerCode: '21211' });
    this.messages.push(message);
    return { providerId: `SM${this.messages.length}` };
  };

  saveRecord = async ({ state, attempt }: RecordToSave): Promise<SaveResult> => {
    await this.beforeSaving(state);
    if (this.savesToFail > 0) {
      this.savesToFail -= 1;
      throw new Error('the database is not available');
    }
    const attemptAllowed = !attempt || this.destinationHasAttemptsLeft;
    if (this.recordConflicts > 0) {
      this.recordConflicts -= 1;
      this.records.set(state.id, { ...state, version: state.version + 1, changedAt: 'never', confirmations: [] });
    }
    const conflictingVersion = this.#save(attemptAllowed ? state : attempt.stateIfRejected);
    return { attemptAllowed, ...(conflictingVersion !== undefined && { conflictingVersion }) };
  };

  /** Saves a state as the SQL statement does. Returns the version of a saved state that conflicts with it. */
  #save(state: TransactionState): number | undefined {
    const saved = this.records.get(state.id);
    if (!saved || saved.version < state.version) this.records.set(state.id, state);
    else if (saved.version !== state.version || saved.changedAt !== state.changedAt) return saved.version;
    return undefined;
  }
}
