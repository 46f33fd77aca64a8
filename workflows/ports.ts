import type { FaceFindings } from '../domain/biometrics/biometrics';
import type { ConfirmationKind, ConfirmationSettings, MessageText } from '../domain/confirmation-settings';
import type { DecisionFacts } from '../domain/flows/facts-of';
import type { Language } from '../domain/language';
import type { Assessment } from '../domain/scoring/assessment';
import type { Lookups } from '../domain/scoring/lookups';
import type { InitialTransaction, TransactionState } from '../domain/state';

/** One message to one address. The code is derived from `confirmationId` inside the activity and never leaves it. */
export interface MessageToDeliver {
  tenant: string;
  transactionId: string;
  confirmationId: string;
  /** `<confirmationId>.<n>`: the identity of this send over all its attempts. */
  sendId: string;
  flow: Pick<ConfirmationSettings, 'name' | 'origin' | 'channel' | 'codeDigits' | 'options'> & {
    /** `link`: the message carries the address of a biometrics page, and `confirmationId` is the id of that link. */
    kind: ConfirmationKind | 'link';
  };
  language: Language;
  /** Filled but for {{code}} and {{link}}. */
  message: MessageText;
  /** E.164 number or mail address. */
  destination: string;
  /** After this instant the message is of no use and is not sent any more. ISO 8601. */
  expiresAt: string;
}

export interface Delivered {
  /** The provider's own id of the message. */
  providerId: string;
}

/** A guess at a code, charged to the phone or mailbox before it counts. */
export interface AttemptClaim {
  /** Identity of the guess, so that a repeated attempt is charged once. */
  claimId: string;
  /** E.164 number or mail address. */
  destination: string;
  /** A right value is let through without being charged. */
  charge: boolean;
  limit: number;
  windowMs: number;
}

export interface RecordToSave {
  state: TransactionState;
  /** Charged in the same database transaction; when it is refused, `ifRefused` is saved instead of `state`. */
  guess?: AttemptClaim & { ifRefused: TransactionState };
}

export interface RecordSaved {
  /** False when the guess was refused. */
  granted: boolean;
  /**
   * The version of the record when it has another state of the same version or a newer one: a worker that died had saved
   * what Temporal never heard of. Nothing was saved then, but the guess was charged.
   */
  conflictingVersion?: number;
}

/** Images of one transaction to be looked at by a face verifier. */
export interface ImagesToVerify {
  tenant: string;
  transactionId: string;
  /** Ids of stored images. */
  selfie: string;
  documentFront: string;
}

/** Whose images are to be erased, and who asked for it. */
export interface ImagesToErase {
  tenant: string;
  transactionId: string;
  /** Id of the client, for the audit log. */
  actor: string;
}

/** A transaction that is looked at again. */
export interface Reassessment extends InitialTransaction {
  /** From the look before. */
  known: Lookups;
}

/** Something that a caller's server is told. It names no person: what is in it leaves the house. */
export interface CallerEvent {
  /** Identity of the event, the same over all attempts, which receivers know it again by. Visible ASCII; ours, not the caller's. */
  id: string;
  tenant: string;
  transactionId: string;
  /** Words with dots between, such as step-up.begun. */
  type: string;
  /** When it happened, ISO 8601. */
  at: string;
  /** Names and numbers of the flow. `transactionId` is put beside them. */
  data: Record<string, string | number | null>;
}

/** Whether the caller's server took an event. Anything else is final: no further attempt would change it. */
export interface CallerNotice {
  delivered: boolean;
  /**
   * `NoWebhook`: the tenant has none, or none that wants events of this type. `Refused`: it was answered with neither 2xx
   * nor a word that another time may do, or its address is one that is not called.
   */
  reason?: 'NoWebhook' | 'Refused';
}

/** The code of a confirmation that a run begins. */
export interface CodeToDigest {
  transactionId: string;
  confirmationId: string;
  /** The sort of record. */
  name: string;
  codeDigits: number;
}

/** The conditions of a decision, in their order, and what they are about. */
export interface RulesToChooseFrom {
  conditions: readonly string[];
  facts: DecisionFacts;
}

/** What the workflow needs of the outside world. */
export interface Activities {
  /**
   * Finds evidence on a new transaction and keeps its first record. Missing or odd input gives less evidence, never a
   * failure; it fails only while the database is away, or by a fault of ours.
   */
  assessTransaction: (state: TransactionState) => Promise<Assessment>;
  /** Looks again at a transaction. Fails with AnalysisFailed by a fault of ours, otherwise while the database is away. */
  reassessTransaction: (looked: Reassessment) => Promise<Assessment>;
  /**
   * Sends one message effectively once. Fails for good with DestinationRefused, DestinationOptedOut, ProviderRefused
   * or DestinationDailyLimitReached; every other failure may be tried again with the same input.
   */
  deliverMessage: (message: MessageToDeliver) => Promise<Delivered>;
  /** Saves the record unless the same or a newer version is there already. */
  saveRecord: (record: RecordToSave) => Promise<RecordSaved>;
  /**
   * Tells the tenant's webhook of an event, at least once: an answer can be lost on its way back. One attempt takes 3 s at
   * most. Fails with CallerAway, to be tried again with the same input, while the caller's server is not reached, is late,
   * or answers 408, 425, 429 or 5xx.
   */
  notifyCaller: (event: CallerEvent) => Promise<CallerNotice>;
  /** The keyed digest of a code, which itself never reaches the workflow. Needs nothing but a key. */
  digestCode: (code: CodeToDigest) => Promise<{ digest: string }>;
  /** The hash of the token of a biometrics link. Needs nothing but a key. */
  hashLink: (link: { tenant: string; transactionId: string; biometricsId: string }) => Promise<{ tokenHash: string }>;
  /** The index of the first condition that is true, or null. A condition that cannot be evaluated is not true. */
  chooseRule: (asked: RulesToChooseFrom) => Promise<{ rule: number | null }>;
  /** Asks the face verifier. Null when none is configured, or an image is gone; fails while it or the store is away. */
  verifyFaces: (images: ImagesToVerify) => Promise<FaceFindings | null>;
  /** Makes all images of a transaction unreadable and removes them. Gives how many. Fails only while it has erased none. */
  eraseImages: (asked: ImagesToErase) => Promise<{ erased: number }>;
}

/** What the schedule of retention needs of the outside world. */
export interface RetentionActivities {
  /** Erases what is past its time, removes objects of what was erased, and sweeps abandoned uploads: a batch of each. */
  sweepImages: () => Promise<{ images: number; objects: number; uploads: number }>;
}
