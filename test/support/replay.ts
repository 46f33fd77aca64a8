import { Worker } from '@temporalio/worker';
import { builtBundle } from '../../worker/bundle';
import { quietRuntime } from './quiet-runtime';

type History = Parameters<typeof Worker.runReplayHistory>[1];

/** Replays a history with the current workflow code. Rejects if the code would produce another history. */
export async function replay(history: History): Promise<void> {
  quietRuntime();
  await Worker.runReplayHistory({ workflowBundle: builtBundle }, history);
}
