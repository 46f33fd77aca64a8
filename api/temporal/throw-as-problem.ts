import type { Channel } from '../../domain/confirmation/settings';
import { domainErrorToProblem } from '../http/problem';
import { CommandRejected } from './transactions';

/**
 * Waits for a command. If the transaction rejects it with a domain error, throws the Problem for this error. Throws other errors as they
 * are. `channel`: the channel of the message that the command sends.
 */
export async function throwAsProblem<Result>(work: Promise<Result>, channel?: Channel): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof CommandRejected
      ? domainErrorToProblem(error.domainError.type, error.domainError.details, channel)
      : error;
  }
}
