import type { Channel } from '../../domain/confirmation-settings';
import { problemOf } from '../problem';
import { CommandRejected } from '../transactions';

/** Answers a domain error with its problem; `channel` is the one that was asked for. */
export async function orProblem<Result>(work: Promise<Result>, channel?: Channel): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof CommandRejected ? problemOf(error.failure.type, error.failure.details, channel) : error;
  }
}
