import { simulateOnServer } from '../simulation/simulate-on-server';
import { answerSimulation, type SimulationAnswer, type SimulationRequest } from './answer-simulation';

/** A message to the child process: one request. */
export interface SimulationCall {
  id: number;
  request: SimulationRequest;
}

/** A message from the child process: the answer to the request with this id. `failure`: the stack trace of an unexpected error. */
export type SimulationResult = { id: number } & (SimulationAnswer | { failure: string });

/**
 * Runs the simulations that the parent process requests, one after another, because all simulations share the clock of one test server.
 * `installServer`: installs the program of the test server.
 */
export function serveSimulations(installServer: () => Promise<void>): void {
  const starting = installServer().then(() => simulateOnServer());
  const answer = async ({ id, request }: SimulationCall): Promise<void> => {
    const result = await answerSimulation(await starting, request).catch((error: unknown) => ({
      failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }));
    process.send?.({ id, ...result } satisfies SimulationResult);
  };
  let last: Promise<unknown> = starting;
  process.on('message', (call: SimulationCall) => {
    last = last.then(() => answer(call));
  });
}
