import type { TokenAnswer } from '../domain/answer';
import type { Biometrics } from '../domain/biometrics/biometrics';
import type { BiometricsProposal } from '../domain/biometrics/link-proposal';
import type { Failure } from '../domain/failures';
import type { PersonsPage } from '../domain/persons-page';
import type { ConfirmationProposal } from '../domain/confirmation-proposal';
import type { Meaning } from '../domain/confirmation-settings';
import type { ConfirmationView, TransactionView } from '../domain/views';
import type { RunPlan } from '../domain/flows/run';
import type { RunView } from '../domain/flows/view-run';
import type { Analysed } from '../domain/scoring/analyses';
import type { Explanation } from '../domain/scoring/explain';
import type { Language } from '../domain/language';
import type { NewTransaction, TransactionState } from '../domain/state';
import type {
  AnalysisAsked,
  BiometricsDecision,
  BiometricsStep,
  Decided,
  FlowAnswered,
  MessageProgress,
  PersonsReply,
  TokenToAnswer,
} from '../workflows/contract';

/** One transaction of one tenant. */
export interface Target {
  tenant: string;
  id: string;
}

/** A transaction as its creation is answered, and whether an earlier call with the same key had begun it. */
export interface Opened {
  transaction: Record<string, unknown>;
  replayed: boolean;
}

/** What a transaction is to be opened with. */
export type Opening = Required<Pick<NewTransaction, 'input' | 'openingFlow'>>;

/** Where a read was answered from: the record, or, before the first record, what the transaction was born with. */
export type Source = 'record' | 'birth';

/** A link and its transaction, both as they are at the instant of reading. */
export interface OpenedLink {
  state: TransactionState;
  biometrics: Biometrics;
}

/** A place in the order of reviews. */
export interface ReviewPlace {
  submittedAt: string;
  id: string;
}

export interface WaitingReview {
  transactionId: string;
  biometrics: Biometrics;
}

/** The domain said no. */
export class Refused extends Error {
  override name = 'Refused';

  constructor(readonly failure: Failure) {
    super(failure.type);
  }
}

/**
 * What the API may do with transactions. Every method answers within its deadline or throws the Problem
 * service_unavailable; an unknown transaction is the Problem transaction_not_found; a refusal of the domain is Refused.
 */
export interface Transactions {
  /** What `open` gave for a key before; undefined when it began nothing. Begins nothing. Throws idempotency_conflict as `open`. */
  openedBefore(tenant: string, opening: Opening, idempotencyKey?: string): Promise<Opened | undefined>;
  /**
   * Begins a transaction, or gives the one that the same key began. Throws the Problem idempotency_conflict for a key that
   * came with other data, or with another flow to begin.
   */
  open(tenant: string, opening: Opening, idempotencyKey?: string): Promise<Opened>;
  requestConfirmation(
    target: Target,
    proposal: ConfirmationProposal,
    idempotencyKey?: string,
  ): Promise<ConfirmationView>;
  answerConfirmation(target: Target, tried: TokenToAnswer, idempotencyKey?: string): Promise<TokenAnswer>;
  replyToConfirmation(target: Target, said: PersonsReply, idempotencyKey?: string): Promise<{ outcome: Meaning }>;
  /** Passes a provider's word on. A transaction that is over, or never was, ignores it. */
  messageProgressed(target: Target, progress: MessageProgress): Promise<void>;
  /** Looks at the transaction anew and gives an analysis of it. */
  analyse(target: Target, asked: AnalysisAsked, idempotencyKey?: string): Promise<Analysed>;
  requestBiometrics(target: Target, proposal: BiometricsProposal, idempotencyKey?: string): Promise<Biometrics>;
  takeBiometricsStep(target: Target, step: BiometricsStep): Promise<Biometrics>;
  decideBiometrics(target: Target, decision: BiometricsDecision, idempotencyKey?: string): Promise<Decided>;
  /** Erases all images of the transaction; `by` is a client's id. Refused with BiometricsNotFound. */
  eraseBiometrics(target: Target, by: string, idempotencyKey?: string): Promise<{ erasedAt: string }>;
  /** The run that a key has begun, of those that it may have proposed; undefined when it began none. Asks the transaction itself. */
  recallRun(target: Target, runIds: readonly string[]): Promise<RunView | undefined>;
  /** Begins a run. Refused with FlowRunning, ChannelBusy and RunLimitReached. */
  startFlow(target: Target, plan: RunPlan, idempotencyKey?: string): Promise<RunView>;
  /** Refused with RunNotFound, RunOver and NothingToAnswer. A value that is not looked at is answered like one that was. */
  answerFlow(
    target: Target,
    asked: FlowAnswered,
    idempotencyKey?: string,
  ): Promise<{ answer: TokenAnswer; run: RunView }>;
  resendFlow(target: Target, runId: string, idempotencyKey?: string): Promise<RunView>;
  cancelFlow(target: Target, runId: string, idempotencyKey?: string): Promise<RunView>;
  /** The runs of a transaction, the oldest first. */
  readRuns(target: Target): Promise<{ runs: RunView[]; source: Source }>;
  read(target: Target, language?: Language): Promise<{ view: TransactionView; source: Source }>;
  /** What the card check of the last look gave. Refused with CardMissing; undefined before the first assessment. */
  readCard(target: Target): Promise<Analysed | undefined>;
  /** How the scores came to be; undefined before the first assessment. */
  explain(target: Target, language: Language): Promise<Explanation | undefined>;
  /** What the page of one confirmation shows; undefined when the transaction has no such confirmation. */
  readPage(target: Target, confirmationId: string): Promise<PersonsPage | undefined>;
  /** The newest link whose images were handed in; undefined when none was, `erased` when they are gone on request. */
  readCaptured(target: Target): Promise<Biometrics | 'erased' | undefined>;
  /** The link of a token, by the hash of it. Undefined when there is none. */
  readLink(tokenHash: string): Promise<OpenedLink | undefined>;
  /** Links whose images await a decision, the longest waiting first, after a place in that order. */
  listReviews(tenant: string, page: { limit: number; after?: ReviewPlace }): Promise<WaitingReview[]>;
  /** The transaction of a link, with the link as it is now. Undefined when the tenant has no such link. */
  readReview(tenant: string, biometricsId: string): Promise<OpenedLink | undefined>;
}
