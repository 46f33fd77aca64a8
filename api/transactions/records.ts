import type { TransactionState } from '../../domain/transactions/state';
import type { Keys } from '../../platform/keys/service-keys';
import type { Logger } from '../../platform/logger';
import type { Pool } from '../../platform/postgres/postgres';
import {
  createRecord,
  findState,
  findVersion,
  type NewRecordKeys,
  type RecordKeys,
} from '../../store/transactions/transactions.sql';
import {
  findLinkById,
  findLinkByToken,
  findLinksInReview,
  type LinkWithState,
  type ReviewPage,
} from '../../store/transactions/biometrics-links.sql';
import { isPersonDenied } from '../../store/lists/list-entries.sql';
import { personValues } from '../../store/lists/listed-values';
import { circleOfTenant, observationOf } from '../../store/transactions/observed-values';
import type { TimePosition } from '../http/cursors';
import { Problem } from '../http/problem';
import { CommandRejected, type LinkOfTransaction, type Target, type Transactions } from './transactions';
import { expireLink } from '../../domain/biometrics/link';
import { asService } from '../../platform/postgres/tenant-scope';
import { DataErasedError, DataKeyMissingError, UnknownDataError } from '../../platform/keys/data-keys';
import { isOutage as isPlatformOutage } from '../../platform/outage';
import { DeadlineExceeded } from '../../platform/temporal/connection';

interface RecordsOptions {
  pool: Pool;
  keys: Keys;
  transactionKeys: RecordKeys & NewRecordKeys;
  logger: Logger;
}

/**
 * Creates and reads records. A search by `tokenHash` (the hash of the token in the URL of a link) finds links of all tenants. All other methods
 * concern the records of one tenant.
 */
export interface Records {
  /**
   * Saves the initial state of a transaction. Returns false if the tenant denies the person, or if the transaction exists, or existed before
   * its erasure.
   */
  create(state: TransactionState): Promise<boolean>;
  /** Whether the tenant denies the person of a transaction: see `deny` in domain/lists/list-entries.ts. */
  isPersonDenied(state: TransactionState): Promise<boolean>;
  /** Returns the last saved state of a transaction. Undefined if there is no record. Throws DataErasedError after the erasure. */
  findState(target: Target): Promise<TransactionState | undefined>;
  /** Returns the version of the last saved state. Undefined if there is no record, or if the transaction was erased. */
  findVersion(target: Target): Promise<number | undefined>;
  /** Finds a biometrics link. Returns the state of its transaction, and the id of the link. */
  findLink(search: { tokenHash: string } | { tenant: string; id: string }): Promise<LinkWithState | undefined>;
  /** Links whose images wait for a decision, oldest first. A link whose record cannot be opened is left out and logged. */
  findReviews(tenant: string, page: { limit: number; after?: TimePosition }): Promise<ReviewPage>;
}

/** Opens the records of a database. `transactionKeys`: they encrypt the records. `logger`: for records that cannot be opened. */
export function openRecords({ pool, keys: hashKeys, transactionKeys: keys, logger }: RecordsOptions): Records {
  return {
    create: (state) => {
      const observation = observationOf(hashKeys, state, circleOfTenant(state.tenant));
      return createRecord(pool, keys, state, observation, personValues(hashKeys, state.tenant, state.input));
    },
    isPersonDenied: ({ tenant, input }) => isPersonDenied(pool, tenant, personValues(hashKeys, tenant, input)),
    findState: (target) => findState(pool, keys, target),
    findVersion: (target) => findVersion(pool, target),
    findLink: (search) =>
      'tokenHash' in search
        ? findLinkByToken(pool, keys, search.tokenHash)
        : findLinkById(pool, keys, search.tenant, search.id),
    findReviews: (tenant, page) => findLinksInReview(pool, keys, logger, tenant, page),
  };
}

/** Reads the saved state of a transaction. Throws transaction_not_found, erased and service_unavailable. */
export async function readState(records: Pick<Records, 'findState'>, target: Target): Promise<TransactionState> {
  const state = await records.findState(target).catch(throwOutageOrErasureAsProblem);
  if (!state) throw new Problem('transaction_not_found');
  return state;
}

/**
 * Throws the problem for an error of a search. If the transaction is erased between the read of its row and the read of its key, the
 * problem is `service_unavailable` instead of `erased`. The caller then repeats the request, and the repeated request finds no link.
 */
const throwAsProblem = (error: unknown): never => {
  throw isErased(error) ? new Problem('service_unavailable') : outageOrErasureToProblem(error);
};

/** Returns the link as it is now. A link whose time is over is expired, even if its timer in the workflow has not fired yet. */
function linkAsOfNow(foundLink: LinkWithState | undefined): LinkOfTransaction | undefined {
  if (!foundLink) return undefined;
  const state = expireLink(foundLink.state, new Date().toISOString());
  const biometrics = state.biometrics?.find(({ id }) => id === foundLink.biometricsId);
  return biometrics && { state, biometrics };
}

/** Creates the methods that find biometrics links: by the hash of the token in their URL, or as reviews of a tenant. */
export function createLinkReader(records: Records): Pick<Transactions, 'readLink' | 'listReviews' | 'readReview'> {
  return {
    // Searches the links of all tenants (`asService`), because only the row of the link says to which tenant the link belongs.
    readLink: async (tokenHash) =>
      linkAsOfNow(await asService(() => records.findLink({ tokenHash })).catch(throwAsProblem)),
    listReviews: (tenant, page) => records.findReviews(tenant, page).catch(throwAsProblem),
    readReview: async (tenant, id) => linkAsOfNow(await records.findLink({ tenant, id }).catch(throwAsProblem)),
  };
}

type StateReader = Pick<Records, 'findState'>;

/**
 * Converts an error of work on a transaction. If the transaction is erased at the same time, the work can fail with many kinds of errors.
 * In this case, returns the Problem erased. Otherwise, returns the error. A Problem or CommandRejected stays as it is.
 */
export async function toErasedProblem(records: StateReader, target: Target, error: unknown): Promise<unknown> {
  if (error instanceof Problem || error instanceof CommandRejected) return error;
  const erased = await records.findState(target).then(() => false, isErased);
  return erased ? new Problem('erased') : error;
}

/** Waits for work on a transaction. Converts its error with `toErasedProblem`. */
export const withErasedCheck = <Result>(records: StateReader, target: Target, work: Promise<Result>): Promise<Result> =>
  work.catch(async (error: unknown) => {
    throw await toErasedProblem(records, target, error);
  });

/** The longest times to wait for Temporal. */
export const deadlines = {
  /** Until Temporal has saved the start of a workflow. During an outage, the caller of a create gets 201 within 2 s. */
  startMs: 1_300,
  /** Until a worker accepts an update. If no worker runs, the caller gets 503 within 2 s. */
  acceptMs: 1_300,
  /** Until a command gets its slot, while other commands of its transaction run. */
  slotMs: 10_000,
  /** From the time when a command gets its slot until its result, including a resume. Sending a message may take 4 s of this time. */
  answerMs: 5_000,
  /**
   * Until a query (a read from a running workflow) has a result. If the workflow is not in the memory of a worker, the worker first runs
   * the code of the workflow again, from its history. 99 % of the queries that need this take less than 93 ms (`npm run bench -- reads`).
   * This deadline is five times as long. A query also waits while a record is being saved.
   */
  queryMs: 500,
  /** Until Temporal has saved a signal. A signal sends data to a running workflow, here a delivery status. */
  signalMs: 1_500,
};

/** Whether an error means that the data of the transaction was erased. */
export const isErased = (error: unknown): boolean => error instanceof DataErasedError;

/**
 * Whether an error means that Temporal, Postgres or all workers are unavailable. It is then not known whether the transaction has changed.
 */
export function isOutageOrTimeout(error: unknown): boolean {
  return error instanceof DeadlineExceeded || isPlatformOutage(error);
}

/**
 * Converts an error. An outage becomes the Problem service_unavailable. Erased data becomes the Problem erased, and a missing data key the
 * Problem data_key_missing. A transaction of which Postgres knows nothing becomes transaction_not_found: its workflow can still exist if an
 * older backup of Postgres was restored. All other errors stay as they are.
 */
export function outageOrErasureToProblem(error: unknown): unknown {
  if (error instanceof UnknownDataError) return new Problem('transaction_not_found');
  if (isErased(error)) return new Problem('erased');
  if (error instanceof DataKeyMissingError) return new Problem('data_key_missing');
  return isOutageOrTimeout(error) ? new Problem('service_unavailable') : error;
}

/** Throws the result of `outageOrErasureToProblem`. */
export function throwOutageOrErasureAsProblem(error: unknown): never {
  throw outageOrErasureToProblem(error);
}
