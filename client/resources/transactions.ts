import type { NewTransaction, SearchRequest } from '../generated/schemas.ts';
import type { CallOptions, QueryOf } from '../operation.ts';
import type { Transport } from '../transport.ts';
import { type WaitOptions, type WaitTarget, waitForStatus } from '../wait-for-status.ts';
import type { Events } from './events.ts';

/** A transaction is one check of one person. */
export class Transactions {
  constructor(
    private readonly transport: Transport,
    private readonly events: Events,
  ) {}

  /** Creates a transaction. The service then computes its first score. `flow`: the name of a flow that starts with the transaction. */
  create(body: NewTransaction, { flow, ...options }: CallOptions & { flow?: string } = {}) {
    const query = flow === undefined ? {} : { query: { flow } };
    return this.transport.call('createTransaction', { body, ...query }, options);
  }

  /** The whole transaction: its status, what it waits for, its scores, its confirmations and its flow runs. */
  retrieve(id: string, options?: CallOptions) {
    return this.transport.call('getTransactionResource', { path: { id } }, options);
  }

  /** The fields as you sent them. When the person confirms, only `verifiedEmail` and `phone.verified` change. */
  retrieveFields(id: string, options?: CallOptions) {
    return this.transport.call('getTransaction', { path: { id } }, options);
  }

  /** The fields with the analyses, the SMS token and the newest biometrics link. */
  retrieveAll(id: string, options?: CallOptions) {
    return this.transport.call('getTransactionDetails', { path: { id } }, options);
  }

  /** Newest first. */
  list(query: QueryOf<'listTransactions'> = {}, options?: CallOptions) {
    return this.transport.list('listTransactions', 'transactions', { query }, options);
  }

  /** The transactions of a phone, a mailbox or a document, newest first. */
  search(body: SearchRequest, options?: CallOptions) {
    return this.transport.list('searchTransactions', 'transactions', { body }, options);
  }

  /**
   * The events, oldest first. Each event has a text for people that says what happened. The event also says who caused it, and what the
   * provider reported.
   */
  timeline(id: string, query: QueryOf<'getTimeline'> = {}, options?: CallOptions) {
    return this.transport.list('getTimeline', 'entries', { path: { id }, query }, options);
  }

  /**
   * Waits until the transaction has the status `target`, or one of several statuses. If `target` is a function, the wait ends when this
   * function returns true. Notices each status that the transaction has after the call, even if only for a short time. After `timeoutMs`,
   * throws CountersignTimeoutError, or the last error if the service did not answer at the end.
   */
  waitFor(id: string, target: WaitTarget, options?: WaitOptions) {
    return waitForStatus({ transactions: this, events: this.events }, id, target, options);
  }

  /** Erases all data of the transaction. This cannot be undone. */
  erase(id: string, options?: CallOptions) {
    return this.transport.call('eraseTransaction', { path: { id } }, options);
  }
}
