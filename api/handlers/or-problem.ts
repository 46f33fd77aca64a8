import type { Channel } from '../../domain/confirmation-settings';
import { Problem, problemOf } from '../problem';
import { Refused } from '../transactions';

/** The result of a piece of work; where a problem is in its way, what there is instead, and the problem where that is nothing. */
export async function orElse<Result, Instead>(
  work: Promise<Result>,
  instead: () => Promise<Instead | undefined>,
): Promise<Result | Instead> {
  try {
    return await work;
  } catch (error) {
    const other = error instanceof Problem ? await instead() : undefined;
    if (other === undefined) throw error;
    return other;
  }
}

/** Answers a refusal of the domain with its problem; `channel` is the one that was asked for. */
export async function orProblem<Result>(work: Promise<Result>, channel?: Channel): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Refused ? problemOf(error.failure.type, error.failure.details, channel) : error;
  }
}
