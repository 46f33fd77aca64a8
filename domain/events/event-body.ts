import type { TransactionStatus } from '../status';
import type { EventType } from './event';

/** An event as saved in its row in Postgres. */
export interface SavedEvent {
  sequence: number;
  type: EventType;
  at: Date;
  /** The status of the transaction when the event was saved. */
  status: TransactionStatus;
  data: Record<string, string | number>;
}

/** An event as callers get it, in lists, streams and webhooks. */
export const toEventBody = (transactionId: string, { sequence, type, at, status, data }: SavedEvent) => ({
  id: `${transactionId}.${sequence}`,
  sequence,
  type,
  at: at.toISOString(),
  transactionId,
  status,
  data,
});

export type EventBody = ReturnType<typeof toEventBody>;
