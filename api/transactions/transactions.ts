import type { Biometrics } from '../../domain/biometrics/biometrics';
import type { DomainError } from '../../domain/domain-error';
import type { Language } from '../../domain/transactions/input';
import type { InitialTransaction, TransactionState } from '../../domain/transactions/state';
import type { TransactionView } from '../../domain/transactions/views';
import type { Erasure } from '../../store/privacy/erase-transaction';
import type { ReviewPage } from '../../store/transactions/biometrics-links.sql';
import type { Command, DeliveryStatusReport } from '../../workflows/contract/commands';
import type { TimePosition } from '../http/cursors';
import type { Channel } from '../../domain/confirmations/settings';
import { domainErrorToProblem, Problem } from '../http/problem';

/** One transaction of one tenant. */
export interface Target {
  tenant: string;
  id: string;
}

/** Work that waits for an answer of a transaction. */
export interface TransactionWork {
  target: Target;
  run: () => Promise<void>;
}

/** The view of a created transaction. `replayed`: whether an earlier request with the same key created it. */
export interface CreatedTransaction {
  transaction: Record<string, unknown>;
  replayed: boolean;
}

/** The data from which a transaction is created: the body of the request, and the flow that the request names. */
export type InitialInput = Required<Pick<InitialTransaction, 'input' | 'initialFlow'>>;

/** Where a read comes from: the running workflow, or the record in Postgres. */
export type ReadSource = 'workflow' | 'record';

export interface TransactionRead {
  view: TransactionView;
  source: ReadSource;
}

/** The headers of the response to a read: the status of the transaction, and where the view comes from. */
export const readHeaders = ({ view, source }: TransactionRead): Record<string, string> => ({
  'X-Countersign-Status': view.status,
  'X-Countersign-Source': source,
});

/** The input of a command, and the values that decide whether two requests are the same request. */
export interface CommandRequest<Input> {
  input: Input;
  /**
   * The values that must be equal in two requests with the same key. The input cannot be used instead, because its proposed ids and
   * settings can change between the request and its retry.
   */
  identity: readonly unknown[];
  idempotencyKey?: string | undefined;
  /**
   * For requests without a key: requests with equal values count as one request, until the workflow closes or continues with a new history
   * (continue-as-new).
   */
  deduplicateBy?: readonly unknown[];
}

/** A biometrics link and the state of its transaction. */
export interface LinkOfTransaction {
  state: TransactionState;
  biometrics: Biometrics;
}

/**
 * The transaction rejected a command with a domain error. Nothing changed, with one exception: if the provider rejected a message at
 * once, an event records this.
 */
export class CommandRejected extends Error {
  override name = 'CommandRejected';

  constructor(readonly domainError: DomainError) {
    super(domainError.type);
  }
}

/** Whether an error of `send` is final: the transaction rejected the command, was erased, or does not exist. */
export const isFinalRejection = (error: unknown): boolean =>
  error instanceof CommandRejected ||
  (error instanceof Problem && ['transaction_not_found', 'erased'].includes(error.code));

/**
 * Commands and reads of transactions. Every method finishes within its deadline, or throws the Problem service_unavailable. Methods throw
 * transaction_not_found for an unknown transaction.
 */
export interface Transactions {
  /**
   * Creates a transaction, which exists from then on, even if its workflow starts later: with the first command, such as the start of its
   * flow. If an earlier request with the same idempotency key created one, returns that one. Throws idempotency_conflict if the key was
   * used with other input or another flow.
   */
  create(tenant: string, initialInput: InitialInput, idempotencyKey?: string): Promise<CreatedTransaction>;
  /** Returns the transaction that `create` made for a key. Undefined if there is none. Throws idempotency_conflict like `create`. */
  findByIdempotencyKey(
    tenant: string,
    initialInput: InitialInput,
    idempotencyKey?: string,
  ): Promise<CreatedTransaction | undefined>;
  /** Sends a command, and resumes the transaction first if it is closed. Throws CommandRejected and idempotency_conflict. */
  send<Input, Output>(target: Target, command: Command<Input, Output>, request: CommandRequest<Input>): Promise<Output>;
  /**
   * Erases all data of a transaction, even if nobody can decrypt it any more. `actor`: the id of the client. A repeat returns the time of the
   * first erasure.
   */
  erase(target: Target, actor: string): Promise<Erasure>;
  /** Reports a delivery status, and resumes the transaction first if it is closed. Does nothing if it is unknown or erased. */
  reportDeliveryStatus(target: Target, report: DeliveryStatusReport): Promise<void>;
  /**
   * Reads the view from the running workflow. If the workflow is closed or does not answer, or with READS=record, reads from the record.
   */
  read(target: Target, language?: Language): Promise<TransactionRead>;
  /** Like `read`, but throws service_unavailable if a running workflow does not answer. */
  readLatest(target: Target): Promise<TransactionView>;
  /** Reads the saved state, for explanations, pages and images. It has every change that the API has confirmed to a caller. */
  readState(target: Target): Promise<TransactionState>;
  /** Finds a link by the hash of its token. */
  readLink(tokenHash: string): Promise<LinkOfTransaction | undefined>;
  /** Links whose images wait for a decision, oldest first. */
  listReviews(tenant: string, page: { limit: number; after?: TimePosition }): Promise<ReviewPage>;
  /** Finds a link of a tenant by the id of the link, which is also the id of its review. */
  readReview(tenant: string, biometricsId: string): Promise<LinkOfTransaction | undefined>;
}

/**
 * Waits for a command. If the transaction rejects it with a domain error, throws the Problem for this error. Throws other errors as they
 * are. `channel`: the channel of the message that the command sends.
 */
export async function throwAsProblem<Result>(work: Promise<Result>, channel?: Channel): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof CommandRejected
      ? domainErrorToProblem(error.domainError.type, error.domainError.details, channel)
      : error;
  }
}
