import type { Connection } from '@temporalio/client';
import { isOutage as isPlatformOutage } from '../../platform/outage';
import { Problem } from '../http/problem';

/** Deadlines of the waits for Temporal. */
export const deadlines = {
  /** A start is one durable write. During an outage the caller gets 503 within 2 s. */
  startMs: 1_300,
  /** Until a worker accepts an update. Without a worker the caller gets 503 within 2 s. */
  acceptMs: 1_300,
  /** Until a command may be sent, behind others of its transaction. */
  slotMs: 10_000,
  /** Until a command that has its slot returns its result, with a resume: sending a message may take 4 s of it. */
  answerMs: 5_000,
  /** Five times the p99 of a cold query, 93 ms (`npm run bench -- reads`). It also waits for a record that is being saved. */
  queryMs: 500,
  describeMs: 1_000,
  signalMs: 1_500,
};

export class DeadlineExceeded extends Error {
  override name = 'DeadlineExceeded';
}

/**
 * Runs a call to Temporal with a deadline. The deadline of the SDK does not cover its first connection, so a timer of our own
 * covers the whole call. Without a deadline the SDK retries silently for up to 40 s.
 */
export async function within<Result>(connection: Connection, ms: number, call: () => Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineExceeded('Temporal did not answer in time')), ms + 100);
  });
  try {
    return await Promise.race([connection.withDeadline(Date.now() + ms, call), expired]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether Temporal, Postgres or all workers are unavailable. Says nothing about the transaction. */
export function isOutage(error: unknown): boolean {
  return error instanceof DeadlineExceeded || isPlatformOutage(error);
}

/** An outage becomes the Problem service_unavailable; other errors stay as they are. */
export function asProblem(error: unknown): unknown {
  return isOutage(error) ? new Problem('service_unavailable') : error;
}
