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

/** What the fake provider does with a message. `outage`: it does not answer. A domain error: it rejects the message with this error. */
export type DeliveryResult = 'accept' | 'outage' | DomainErrorType;

/** What the server of the caller does with an event of a notify step. For the other values, see `NotificationResult`. */
export type WebhookResult = 'accept' | 'outage' | NonNullable<NotificationResult['reason']>;

/** Activities that work in memory. By default, they accept every message and save every record. */
export class FakeActivities implements Activities {
  /** The messages that the provider accepted. */
  readonly messages: MessageToDeliver[] = [];
  /** The saved state of each transaction, by its id. */
  readonly records = new Map<string, TransactionState>();
  /** The results of the next messages, one entry for each message. If the list is empty, messages are accepted. */
  readonly deliveryResults: DeliveryResult[] = [];
  /** Every message that was attempted, also if it was not accepted. */
  readonly deliveryAttempts: MessageToDeliver[] = [];
  /**
   * The messages of all calls of `reserveSend`, which counts a message against the limits. The workflow calls `reserveSend` if the first
   * attempt to send the message has an unknown outcome.
   */
  readonly reservations: MessageToDeliver[] = [];
  /** The error with which the next reservations are rejected. Undefined if they are accepted. */
  reservationRejection: DomainErrorType | undefined;
  /** How many of the next reservations fail, as during a database outage. */
  reservationOutages = 0;
  /** The provider responds when this promise resolves. */
  providerReady: Promise<void> = Promise.resolve();
  /** What every assessment finds. */
  assessment: EvidenceAndPolicy = {
    evidence: { document: { kind: 'CPF', checkDigits: 'right', repeated: false, alphanumeric: false } },
    policy: defaultPolicy,
  };
  /** Reassessments that callers requested. */
  readonly reassessments: TransactionToReassess[] = [];
  /** The results of the next reassessments, one entry for each. If the list is empty, reassessments succeed. */
  readonly reassessmentResults: ('success' | 'outage' | 'error' | 'wait')[] = [];
  /** The first assessment of a transaction ends when this promise resolves. */
  firstAssessmentReady: Promise<void> = Promise.resolve();
  /** Reassessments with the result `wait` end when this promise resolves. */
  reassessmentReady: Promise<void> = Promise.resolve();
  /** How many of the next attempts to save a record fail, as during a database outage. */
  savesToFail = 0;
  /** How many of the next saves find a record with a newer version, as if a worker had died after it saved this record. */
  recordConflicts = 0;
  /** If false, every attempt to enter a code is rejected, as if the phone or mailbox had reached its limit of attempts. */
  destinationHasAttemptsLeft = true;

  /** What the face verifier finds. Null if there is no face verifier. */
  faceFindings: FaceFindings | null = null;
  /** How often the face verifier fails before it responds. */
  faceOutages = 0;
  /** The face verifier responds when this promise resolves. */
  verifierReady: Promise<void> = Promise.resolve();
  /** The images of every request to the face verifier. */
  readonly imagesSentToVerifier: ImagesToVerify[] = [];
  /** Every request to erase images. */
  readonly erasures: ImagesToErase[] = [];
  /** The events of notify steps. There is one entry for each check whether a webhook accepted the event. */
  readonly notificationChecks: NotifiedEvent[] = [];
  /** The results of the next checks of events, one entry for each check. If the list is empty, events are accepted. */
  readonly webhookResults: WebhookResult[] = [];
  /** The result for this message. If it returns undefined, `deliveryResults` applies. */
  deliveryResultFor = (_message: MessageToDeliver): DeliveryResult | undefined => undefined;
  /** The result for this event. If it returns undefined, `webhookResults` applies. */
  webhookResultFor = (_event: NotifiedEvent): WebhookResult | undefined => undefined;
  beforeDelivering = (): void => undefined;
  beforeErasing = (): void => undefined;
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

  /** Returns the index of the first rule that holds in a decide step. Null if no rule holds. */
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

  /** Saves a state if it is newer than the saved state, as the SQL statement does. If the saved state conflicts, returns its version. */
  #save(state: TransactionState): number | undefined {
    const saved = this.records.get(state.id);
    if (!saved || saved.version < state.version) this.records.set(state.id, state);
    else if (saved.version !== state.version || saved.changedAt !== state.changedAt) return saved.version;
    return undefined;
  }
}
