import type { Channel } from '../../domain/confirmation-settings';
import { problemOf } from '../http/problem';
import { CommandRejected, type Source } from './transactions';

/** Answers a domain error with its problem; `channel` is the one that was asked for. */
export async function withProblem<Result>(work: Promise<Result>, channel?: Channel): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof CommandRejected ? problemOf(error.failure.type, error.failure.details, channel) : error;
  }
}

/** Tells readers when an answer did not come from the running workflow. */
export function sourceHeaders(source: Source): Record<string, string> {
  return { 'X-Countersign-Source': source };
}
