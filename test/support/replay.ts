import { Worker } from '@temporalio/worker';
import { builtBundle } from '../../worker/built-bundle';
import { quietRuntime } from './quiet-runtime';

type History = Parameters<typeof Worker.runReplayHistory>[1];

/** Replays a history against today's workflow code. Rejects when the code would decide otherwise than it did. */
export async function replay(history: History): Promise<void> {
  quietRuntime();
  await Worker.runReplayHistory({ workflowBundle: builtBundle }, history);
}
