import type { Flow, MessageText } from '../domain/flow';
import type { Language } from '../domain/language';
import type { Assessment } from '../domain/scoring/assessment';
import type { Known } from '../domain/scoring/known';
import type { NewTransaction, TransactionState } from '../domain/state';

/** One message to one address. The code is derived from `confirmationId` inside the activity and never leaves it. */
export interface MessageToDeliver {
  tenant: string;
  transactionId: string;
  confirmationId: string;
  /** `<confirmationId>.<n>`: the identity of this send over all its attempts. */
  sendId: string;
  flow: Pick<Flow, 'name' | 'channel' | 'kind' | 'codeDigits' | 'options'>;
  language: Language;
  /** Filled but for {{code}}. */
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

/** A guess at a code, to be charged to the phone or mailbox before it counts. */
export interface GuessClaim {
  /** Identity of the guess, so that a repeated attempt is charged once. */
  claimId: string;
  /** E.164 number or mail address. */
  destination: string;
  /** A right value is let through without being charged. */
  charge: boolean;
  limit: number;
  windowMs: number;
}

export interface RecordToKeep {
  state: TransactionState;
  /** Charged in the same database transaction; when it is refused, `ifRefused` is kept instead of `state`. */
  guess?: GuessClaim & { ifRefused: TransactionState };
}

/** A transaction that is looked at again. */
export interface AnotherLook extends NewTransaction {
  /** From the look before. */
  known: Known;
}

/** What the workflow needs of the outside world. */
export interface Activities {
  /**
   * Finds evidence on a new transaction and keeps its first record. Missing or odd input gives less evidence, never a
   * failure; it fails only while the database is away, or by a fault of ours.
   */
  assessTransaction: (state: TransactionState) => Promise<Assessment>;
  /** Looks again at a transaction. Fails with AnalysisFailed by a fault of ours, otherwise while the database is away. */
  reassessTransaction: (looked: AnotherLook) => Promise<Assessment>;
  /**
   * Sends one message effectively once. Fails for good with DestinationRefused, DestinationOptedOut, ProviderRefused
   * or DestinationDailyLimitReached; every other failure may be tried again with the same input.
   */
  deliverMessage: (message: MessageToDeliver) => Promise<Delivered>;
  /** Keeps the record unless a newer version is there already. `granted` is false when the guess was refused. */
  recordTransaction: (record: RecordToKeep) => Promise<{ granted: boolean }>;
}
