import { ApplicationFailure } from '@temporalio/common';
import type { FaceFindings } from '../../domain/biometrics/biometrics';
import type { EvidenceAndPolicy } from '../../domain/scoring/evidence';
import { defaultPolicy } from '../../domain/scoring/policy';
import { createHashActivities } from '../../activities/messages/compose-message';
import type { DeliveryCheck } from '../../domain/flows/delivery-deadline';
import type { DecisionFacts } from '../../domain/flows/decision-facts';
import { createDomainError, type DomainError, type DomainErrorType } from '../../domain/domain-error';
import type { TransactionState } from '../../domain/transactions/state';
import { testKeys } from './build';
import {
  type Activities,
  type TransactionToReassess,
  type NotifiedEvent,
  type NotificationResult,
  type SendReceipt,
  type ImagesToErase,
  type ImagesToVerify,
  type MessagesToCheck,
  type MessageToDeliver,
  type SaveResult,
  type RecordToSave,
  type RulesToChooseFrom,
  recordNotSavedType,
} from '../../workflows/contract/activities';

/** `outage`: the provider does not answer. A domain error: the provider rejects the message with this error. */
export type DeliveryResult = 'accept' | 'outage' | DomainErrorType;

/** What the server of the caller does with an event of a notify step. */
export type WebhookResult = 'accept' | 'outage' | NonNullable<NotificationResult['reason']>;

/** Activities that work in memory. By default, they accept every message and save every record. */
export class FakeActivities implements Activities {
  /** Messages that the provider accepted. */
  readonly messages: MessageToDeliver[] = [];
  /** The saved states, by the id of the transaction. */
  readonly records = new Map<string, TransactionState>();
  /** One entry for each of the next messages. If the list is empty, messages are accepted. */
  readonly deliveryResults: DeliveryResult[] = [];
  /** Also has messages that were not accepted. */
  readonly deliveryAttempts: MessageToDeliver[] = [];
  /**
   * The messages of all calls of `reserveSend`, which counts a message against the limits. The workflow calls `reserveSend` if the first
   * attempt to send has an unknown outcome.
   */
  readonly reservations: MessageToDeliver[] = [];
  /** Rejects the next reservations. */
  reservationRejection: DomainErrorType | undefined;
  /** How many of the next reservations fail, as during a database outage. */
  reservationOutages = 0;
  /** The provider responds when this promise resolves. */
  providerReady: Promise<void> = Promise.resolve();
  assessment: EvidenceAndPolicy = {
    evidence: { document: { kind: 'CPF', checkDigits: 'right', repeated: false, alphanumeric: false } },
    policy: defaultPolicy,
  };
  readonly reassessments: TransactionToReassess[] = [];
  /** One entry for each of the next reassessments. If the list is empty, they succeed. */
  readonly reassessmentResults: ('success' | 'outage' | 'error' | 'wait')[] = [];
  /** The first assessment of a transaction ends when this promise resolves. */
  firstAssessmentReady: Promise<void> = Promise.resolve();
  /** Reassessments with the result `wait` end when this promise resolves. */
  reassessmentReady: Promise<void> = Promise.resolve();
  /** How many of the next saves fail, as during a database outage. */
  savesToFail = 0;
  /** How many of the next saves fail with an error that a retry cannot help. */
  savesToReject = 0;
  /** How many of the next saves find their change in the record, as if a worker had died after it saved this change. */
  savesOfDeadWorker = 0;
  /** If false, every attempt is rejected, as if the phone or mailbox had reached its limit. */
  destinationHasAttemptsLeft = true;

  /** Null if there is no face verifier. */
  faceFindings: FaceFindings | null = null;
  /** How often the face verifier fails before it responds. */
  faceOutages = 0;
  /** The face verifier responds when this promise resolves. */
  verifierReady: Promise<void> = Promise.resolve();
  readonly imagesSentToVerifier: ImagesToVerify[] = [];
  readonly erasures: ImagesToErase[] = [];
  /** One entry for each check whether a webhook accepted the event. */
  readonly notificationChecks: NotifiedEvent[] = [];
  /** One entry for each of the next checks. If the list is empty, events are accepted. */
  readonly webhookResults: WebhookResult[] = [];
  /** If it returns undefined, `deliveryResults` applies. */
  deliveryResultFor = (_message: MessageToDeliver): DeliveryResult | undefined => undefined;
  /** If it returns undefined, `webhookResults` applies. */
  webhookResultFor = (_event: NotifiedEvent): WebhookResult | undefined => undefined;
  beforeDelivering = (): void => undefined;
  beforeErasing = (): void => undefined;
  beforeReserving = async (_message: MessageToDeliver): Promise<void> => undefined;
  beforeSaving = async (_state: TransactionState, _attempt?: RecordToSave['attempt']): Promise<void> => undefined;

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

  /** For how long each of the next evaluations waits for its turn, in milliseconds. */
  readonly waitsForTurn: number[] = [];

  /** The index of the first rule that holds. Null if no rule holds. */
  findMatchingRule = (_facts: DecisionFacts, _conditions: readonly string[]): number | null => null;

  digestCode = createHashActivities(testKeys).digestCode;
  hashLink = createHashActivities(testKeys).hashLink;

  chooseRule = async ({ facts, conditions, hasTurn }: RulesToChooseFrom): ReturnType<Activities['chooseRule']> => {
    const waitMs = hasTurn ? undefined : this.waitsForTurn.shift();
    return waitMs === undefined ? { rule: this.findMatchingRule(facts, conditions) } : { waitMs };
  };

  /** The requests for the delivery of messages. */
  readonly deliveryChecks: MessagesToCheck[] = [];
  /** If it returns undefined, messages have arrived. */
  deliveryCheckFor = (_messages: MessagesToCheck): DeliveryCheck | undefined => undefined;

  findDelivery = async (messages: MessagesToCheck): Promise<{ check: DeliveryCheck }> => {
    this.deliveryChecks.push(messages);
    return { check: this.deliveryCheckFor(messages) ?? 'delivered' };
  };

  checkNotification = async (event: NotifiedEvent): Promise<NotificationResult> => {
    this.notificationChecks.push(event);
    const result = this.webhookResultFor(event) ?? this.webhookResults.shift() ?? 'accept';
    if (result === 'outage') throw ApplicationFailure.retryable('the caller is not available', 'NotDelivered');
    return result === 'accept' ? { delivered: true } : { delivered: false, reason: result };
  };

  assessTransaction = async (): Promise<EvidenceAndPolicy> => {
    await this.firstAssessmentReady;
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
    await this.beforeReserving(message);
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

  saveRecord = async ({ state, savedVersion, attempt }: RecordToSave): Promise<SaveResult> => {
    await this.beforeSaving(state, attempt);
    if (this.savesToFail > 0) {
      this.savesToFail -= 1;
      throw new Error('the database is not available');
    }
    if (this.savesToReject > 0) {
      this.savesToReject -= 1;
      throw ApplicationFailure.nonRetryable('The record cannot be saved.', recordNotSavedType);
    }
    const attemptAllowed = !attempt || this.destinationHasAttemptsLeft;
    const stateToSave = attemptAllowed ? state : { ...state, ...attempt.stateIfRejected };
    if (this.savesOfDeadWorker > 0) {
      this.savesOfDeadWorker -= 1;
      const changedAt = new Date(Date.parse(stateToSave.changedAt) - 1).toISOString();
      this.records.set(state.id, { ...stateToSave, changedAt });
    }
    const newerRecord = this.#save(stateToSave, savedVersion);
    return { attemptAllowed, ...(newerRecord && { newerRecord }) };
  };

  /** Saves a state that continues from the record, as the SQL statement does. If the record is ahead, returns its state. */
  #save(state: TransactionState, savedVersion: number): TransactionState | undefined {
    const saved = this.records.get(state.id);
    if (!saved || (saved.version < state.version && saved.version <= savedVersion)) this.records.set(state.id, state);
    else if (saved.version !== state.version || saved.changedAt !== state.changedAt) return saved;
    return undefined;
  }
}
