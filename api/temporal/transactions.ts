import type { Biometrics } from '../../domain/biometrics/biometrics';
import type { DomainError } from '../../domain/domain-error';
import type { Language } from '../../domain/language';
import type { InitialTransaction, TransactionState } from '../../domain/state';
import type { TransactionView } from '../../domain/views';
import type { Command, MessageProgress } from '../../workflows/contract';

/** One transaction of one tenant. */
export interface Target {
  tenant: string;
  id: string;
}

/** A transaction as its creation is answered, and whether an earlier call with the same key had created it. */
export interface Created {
  transaction: Record<string, unknown>;
  replayed: boolean;
}

/** What a transaction is created with. */
export type InitialInput = Required<Pick<InitialTransaction, 'input' | 'initialFlow'>>;

/**
 * Where a read was answered from: the running workflow; the record in Postgres; or, before the first record, what the
 * transaction was created from.
 */
export type Source = 'workflow' | 'record' | 'initial';

/** A command with its input, as a caller asks for it. */
export interface CommandRequest<Input> {
  input: Input;
  /**
   * What makes two requests under one key the same request. Not the whole input: that holds proposed ids, and settings that may
   * change between a request and its repeat.
   */
  identity: readonly unknown[];
  idempotencyKey?: string | undefined;
  /** For requests without a key: those with the same words are one request while the workflow runs, and nothing is remembered. */
  sameAs?: readonly unknown[];
}

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

/** The transaction rejected a command by a domain error; it changed nothing. */
export class CommandRejected extends Error {
  override name = 'CommandRejected';

  constructor(readonly failure: DomainError) {
    super(failure.type);
  }
}

/**
 * What the API may do with transactions. Every method answers within its deadline or throws the Problem
 * service_unavailable; an unknown transaction is the Problem transaction_not_found.
 */
export interface Transactions {
  /**
   * Creates a transaction, or gives the one that the same key created. Throws the Problem idempotency_conflict for a key that
   * came with other data, or with another flow to start.
   */
  create(tenant: string, initial: InitialInput, idempotencyKey?: string): Promise<Created>;
  /** What `create` gave for a key before; undefined when there is nothing. Throws idempotency_conflict as `create`. */
  findByIdempotencyKey(tenant: string, initial: InitialInput, idempotencyKey?: string): Promise<Created | undefined>;
  /** Runs a command on a transaction, and resumes it first where it is closed. Throws CommandRejected, and idempotency_conflict. */
  send<Input, Output>(target: Target, command: Command<Input, Output>, request: CommandRequest<Input>): Promise<Output>;
  /** Passes a delivery status on. A transaction that is closed, or never was, ignores it. */
  messageProgressed(target: Target, progress: MessageProgress): Promise<void>;
  /** What a caller can read: by query of the running workflow, else from the record. */
  read(target: Target, language?: Language): Promise<{ view: TransactionView; source: Source }>;
  /**
   * The same where an answer that lags behind would be wrong: a running workflow that does not answer is service_unavailable.
   */
  readLatest(target: Target): Promise<TransactionView>;
  /** The saved state, for what no view has: explanations, pages, images. It has every acknowledged change. */
  readState(target: Target): Promise<{ state: TransactionState; source: Exclude<Source, 'workflow'> }>;
  /** The link of a token, by the hash of it. Undefined when there is none. */
  readLink(tokenHash: string): Promise<OpenedLink | undefined>;
  /** Links whose images await a decision, the longest waiting first, after a place in that order. */
  listReviews(tenant: string, page: { limit: number; after?: ReviewPlace }): Promise<WaitingReview[]>;
  /** The transaction of a link, with the link as it is now. Undefined when the tenant has no such link. */
  readReview(tenant: string, biometricsId: string): Promise<OpenedLink | undefined>;
}
