import type { Channel } from '../../domain/confirmation-settings';
import { domainErrorToProblem } from '../http/problem';
import { CommandRejected } from './transactions';

/** Turns the domain error of a rejected command into its Problem. `channel`: the channel of the request. */
export async function throwAsProblem<Result>(work: Promise<Result>, channel?: Channel): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof CommandRejected
      ? domainErrorToProblem(error.domainError.type, error.domainError.details, channel)
      : error;
  }
}
