import type { Channel } from '../../domain/confirmation-settings';
import { problemOf } from '../problem';
import { Refused } from '../transactions';

/** Answers a refusal of the domain with its problem; `channel` is the one that was asked for. */
export async function orProblem<Result>(work: Promise<Result>, channel?: Channel): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Refused ? problemOf(error.failure.type, error.failure.details, channel) : error;
  }
}
