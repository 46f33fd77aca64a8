import type { MailBrand } from '../../domain/brand/brand';
import type { FaceFindings } from '../../domain/biometrics/biometrics';
import type { Channel, ConfirmationKind, ConfirmationSettings, MessageText } from '../../domain/confirmations/settings';
import type { DomainError } from '../../domain/domain-error';
import type { DeliveryCheck } from '../../domain/flows/delivery-deadline';
import type { DecisionFacts } from '../../domain/flows/decision-facts';
import type { Language } from '../../domain/transactions/input';
import type { EvidenceAndPolicy, Lookups } from '../../domain/scoring/evidence';
import type { InitialTransaction, TransactionState } from '../../domain/transactions/state';
import type { WebhookTarget } from '../../domain/webhooks/webhooks';

/**
 * One message to one phone or mailbox. The activity derives the code or the link from `confirmationOrLinkId`. The workflow does not know
 * the code or the link.
 */
export interface MessageToDeliver {
  tenant: string;
  transactionId: string;
  /** The id of the confirmation. If `kind` is `link` or `biometricsResult`, the id of the biometrics link. */
  confirmationOrLinkId: string;
  /** `confirmationOrLinkId`, a dot, and a suffix such as a number. All attempts to send this message have the same id. */
  sendId: string;
  /** The id from which the code is derived. Absent: `confirmationOrLinkId`. */
  codeId?: string;
  settings: Pick<ConfirmationSettings, 'name' | 'origin' | 'channel' | 'codeDigits' | 'options'> & {
    /** `link`: the message contains a biometrics link. `biometricsResult`: it says that the biometrics check is finished. */
    kind: ConfirmationKind | 'link' | 'biometricsResult';
    /** For how many minutes a code is valid from each message. Absent if a resend has the same code, which then expires earlier. */
    codeMinutes?: number;
  };
  language: Language;
  /** The text. All placeholders are filled, except {{code}} and {{link}}. */
  message: MessageText;
  /** What a mail shows. Absent: the name of its sender. */
  brand?: MailBrand;
  /** E.164 number or mail address. */
  destination: string;
  /** After this time the message is not sent. ISO 8601. */
  expiresAt: string;
}

/** The answer of a provider that has accepted a message. */
export interface SendReceipt {
  /** The provider's id of the message. */
  providerId: string;
}

/** An attempt at a code. It is counted against the limits of its phone or mailbox before the caller gets the answer. */
export interface AttemptToCount {
  /** Identifies the attempt, so that a repeat counts once. */
  attemptId: string;
  /** E.164 number or mail address. */
  destination: string;
  /** Whether the attempt counts against the limit. An attempt with the correct code does not. */
  counts: boolean;
}

/** The type of the failure of a command whose change cannot be saved, although the database answers. The change was undone. */
export const recordNotSavedType = 'RecordNotSaved';

/** The type of the failure of `chooseRule` if a condition cannot be evaluated. */
export const conditionFailedType = 'ConditionFailed';

/** The state to save as the record of its transaction. */
export interface RecordToSave {
  state: TransactionState;
  /** The version of the newest record from which this workflow continues. */
  savedVersion: number;
  /**
   * An attempt at a code that is counted in the same database transaction. `stateIfRejected`: if the phone or mailbox has no attempts left,
   * these fields of `state` are different. Only the differences are part of the payload, so that it does not have the state twice.
   */
  attempt?: AttemptToCount & { stateIfRejected: Partial<TransactionState> };
}

/** The result of saving a record. */
export interface SaveResult {
  /**
   * False if there is an attempt, and its phone or mailbox had no attempts left. Then `stateIfRejected` was saved. True in all other cases.
   */
  attemptAllowed: boolean;
  /**
   * The state of the record, if the record is ahead: its version is higher than `savedVersion`, and it has another state than the state to
   * save. `saveRecord` then saved no state, but it counted the attempt. See docs/decisions/0027.
   */
  newerRecord?: TransactionState;
}

/** Images of one transaction for the face verifier. */
export interface ImagesToVerify {
  tenant: string;
  transactionId: string;
  /** Ids of stored images. */
  selfie: string;
  documentFront: string;
}

/** The transaction whose images are to be erased, and who requested the erasure. */
export interface ImagesToErase {
  tenant: string;
  transactionId: string;
  /**
   * When the images were erased from the state, ISO 8601. Each attempt of the activity has the same value, so the value identifies the
   * erasure.
   */
  erasedAt: string;
  /** Id of the client, for the audit log. */
  actor: string;
}

/** A transaction to assess again. */
export interface TransactionToReassess extends InitialTransaction {
  /**
   * What the bureau and DNS answered in the earlier assessment. The answer of the bureau is used again. DNS is asked again. The earlier
   * answer of DNS is used only if DNS does not answer now.
   */
  earlierLookups: Lookups;
}

/** The event of a notify step, whose delivery is checked. */
export interface NotifiedEvent {
  tenant: string;
  transactionId: string;
  /** The key of the event in its transaction. */
  key: string;
}

/** Whether a webhook of the caller accepted the event of a notify step. If `delivered` is false, waiting longer would not help. */
export interface NotificationResult {
  delivered: boolean;
  /**
   * `NoWebhook`: no webhook of the tenant gets the event. `Parked`: all webhooks that get the event were disabled, because they
   * answered 410.
   */
  reason?: 'NoWebhook' | 'Parked';
}

/** The messages of a confirmation, oldest first, about whose delivery a flow run asks. */
export interface MessagesToCheck {
  tenant: string;
  channel: Channel;
  sendIds: readonly string[];
}

/** The values that define the code of a confirmation that a flow run requests. */
export interface CodeToDigest {
  transactionId: string;
  /** The id from which the code is derived. */
  confirmationId: string;
  /** The name of the confirmation settings, such as `sms-token`. */
  name: string;
  codeDigits?: number;
  /** The hash of what the person confirms. */
  values?: { hash: string };
  /** E.164 number or mail address. Absent if the transaction has none. Then the code will not be sent. */
  destination?: string;
}

/** The conditions of a decide step, in order, and the facts for them. */
export interface RulesToChooseFrom {
  tenant: string;
  conditions: readonly string[];
  facts: DecisionFacts;
  /** Whether the evaluation has waited for its turn (`waitMs`). */
  hasTurn?: boolean;
}

/** The activities that the workflow calls. */
export interface Activities {
  /**
   * Finds evidence about a transaction that has none. Missing or unusual input gives less evidence, never an
   * error. Fails only if the database is unavailable, or with an internal error.
   */
  assessTransaction: (transaction: InitialTransaction) => Promise<EvidenceAndPolicy>;
  /** Finds evidence again. Fails with AnalysisFailed after an internal error, and with other errors if the database is unavailable. */
  reassessTransaction: (transaction: TransactionToReassess) => Promise<EvidenceAndPolicy>;
  /**
   * Sends one message. If the activity is retried, the person still gets the message only once. These errors are final: DestinationRefused,
   * DestinationOptedOut, ProviderRefused, MessageExpired, PhoneNotAllowed, NoProvider, DestinationDailyLimitReached,
   * TenantDailyLimitReached, PrefixBlocked, DestinationDenied and PersonDenied. After any other error, retry with the same input.
   */
  deliverMessage: (message: MessageToDeliver) => Promise<SendReceipt>;
  /**
   * Counts a message against all limits. If this activity or `deliverMessage` has already counted the message, it is not counted again.
   * `rejection`: why the message will certainly not be sent. Fails only if the database is unavailable.
   */
  reserveSend: (message: MessageToDeliver) => Promise<{ rejection?: DomainError }>;
  /**
   * Saves the record. If the record already has this state or is ahead of it, saves no state. Fails with RecordNotSaved if a retry cannot
   * help, and with other errors if the database is unavailable.
   */
  saveRecord: (record: RecordToSave) => Promise<SaveResult>;
  /**
   * Checks whether a webhook accepted the event of a notify step. While the event is still being delivered, fails with
   * NotDelivered, and Temporal retries the activity.
   */
  checkNotification: (event: NotifiedEvent) => Promise<NotificationResult>;
  /** Finds out whether one of the messages has arrived. Fails only if the database is unavailable. */
  findDelivery: (messages: MessagesToCheck) => Promise<{ check: DeliveryCheck }>;
  /** The keyed digest of a code. The code itself never reaches the workflow. Needs no database, because its keys are in memory. */
  digestCode: (code: CodeToDigest) => Promise<{ digest: string }>;
  /** The hash of the token in the URL of a biometrics link. Needs no database, because its keys are in memory. */
  hashLink: (link: { tenant: string; transactionId: string; biometricsId: string }) => Promise<{ tokenHash: string }>;
  /**
   * The index of the first condition that is true. Null if none is true. Fails if a condition before it cannot be evaluated. `waitMs`: if the
   * share of the tenant is used up, the milliseconds until the turn of this evaluation.
   */
  chooseRule: (rules: RulesToChooseFrom) => Promise<{ rule: number | null } | { waitMs: number }>;
  /**
   * Asks the face verifier. Null in these cases: no verifier is configured, an image was erased or changed, the verifier rejects
   * the images, or its answer is invalid. A reviewer then decides without the verifier. Fails if the verifier or the store is
   * unavailable.
   */
  verifyFaces: (images: ImagesToVerify) => Promise<FaceFindings | null>;
  /** Makes all images of a transaction unreadable, and removes them. Returns how many. A repeat with the same `erasedAt` returns 0. */
  eraseImages: (owner: ImagesToErase) => Promise<{ erased: number }>;
}

/** A transaction that the retention could not erase. */
export interface SkippedTransaction {
  tenant: string;
  id: string;
}

/** The input of a batch of the retention. `skip`: what earlier batches could not erase. Absent if an earlier version calls. */
export interface RetentionBatch {
  skip?: readonly SkippedTransaction[];
}

/**
 * The activities that the retention schedule calls. `skipped`: the transactions with data, images or uploads that the batch could not erase. Absent if a worker of an
 * earlier version answers.
 */
export interface RetentionActivities {
  /**
   * Deletes rows that nothing needs any more, rotates signing keys, and encrypts data keys with the current service key. `failed`: the tasks
   * that failed. They are tried again an hour later.
   */
  cleanUpRows: () => Promise<{ failed: readonly string[] }>;
  /** Cleans up one batch: erases expired images, removes objects of erased images, and deletes abandoned uploads. */
  cleanUpImages: (batch?: RetentionBatch) => Promise<{
    images: number;
    objects: number;
    uploads: number;
    skipped?: readonly SkippedTransaction[];
  }>;
  /** Erases one batch of transactions whose retention time is over. Each tenant has its own retention time. */
  eraseExpiredTransactions: (
    batch?: RetentionBatch,
  ) => Promise<{ transactions: number; skipped?: readonly SkippedTransaction[] }>;
}

/** The activities that the workflow of a webhook calls. */
export interface WebhookActivities {
  /**
   * Delivers the events of a webhook that are due, in order and at least once. Works for a minute at most. `nextAttemptAt`: when the next
   * attempt is due. Absent if no delivery waits. Fails only if the database is unavailable.
   */
  deliverEvents: (webhook: WebhookTarget) => Promise<{ nextAttemptAt?: string }>;
}
