import type { Connection } from '@temporalio/client';
import { isOutage as isPartAway } from '../../platform/outage';
import { Problem } from '../http/problem';

/** How long each kind of call to Temporal may take. */
export const deadlines = {
  /** A start is one durable write; when a part is away its caller is told within 2 s. */
  startMs: 1_300,
  /** Until a worker has accepted an update: with none, the caller is told within 2 s. */
  acceptMs: 1_300,
  /** Until an update is answered, all in all: sending a message may take 4 s of it. */
  answerMs: 5_000,
  /** A warm query takes 5 ms, a cold one some 50, and one waits for the record that is being saved. */
  queryMs: 500,
  /** What a transaction was created from is one read of Temporal's own. */
  describeMs: 1_000,
  signalMs: 1_500,
} as const;

export class Overdue extends Error {
  override name = 'Overdue';
}

/**
 * Runs a call to Temporal under a deadline. Left alone the SDK retries for up to 40 s without a word, and counts the
 * time of its first connection apart: so the time is also kept here.
 */
export async function within<Result>(connection: Connection, ms: number, call: () => Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Overdue('Temporal did not answer in time')), ms + 100);
  });
  try {
    return await Promise.race([connection.withDeadline(Date.now() + ms, call), overdue]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a failure means that a part is away, and nothing about the transaction. */
export function isOutage(error: unknown): boolean {
  return error instanceof Overdue || isPartAway(error);
}

/** The failure as callers are told of it. */
export function asProblem(error: unknown): unknown {
  return isOutage(error) ? new Problem('service_unavailable') : error;
}
