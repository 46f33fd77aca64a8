import { simulateOnServer } from '../simulation/simulate-on-server';
import { answerSimulation, type SimulationAnswer, type SimulationRequest } from './answer-simulation';

/** A message to the child process: one request. */
export interface SimulationCall {
  id: number;
  request: SimulationRequest;
}

/** A message from the child process: the answer to the request with this id. `failure`: the stack trace of an unexpected error. */
export type SimulationResult = { id: number } & (SimulationAnswer | { failure: string });

/** Serves simulations to the parent process, one at a time, because they share the clock of the server. */
export async function serveSimulations(): Promise<void> {
  const simulation = await simulateOnServer();
  let last: Promise<unknown> = Promise.resolve();
  const answer = async ({ id, request }: SimulationCall): Promise<void> => {
    const result = await answerSimulation(simulation, request).catch((error: unknown) => ({
      failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }));
    process.send?.({ id, ...result } satisfies SimulationResult);
  };
  process.on('message', (call: SimulationCall) => {
    last = last.then(() => answer(call));
  });
  process.once('disconnect', () => {
    void simulation.stop().finally(() => process.exit(0));
  });
}
