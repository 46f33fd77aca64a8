import { Worker, type WorkflowBundle } from '@temporalio/worker';
import { bundleWorkflows } from '../../worker/bundle';
import { quietRuntime } from './quiet-runtime';

let bundle: Promise<WorkflowBundle> | undefined;

type History = Parameters<typeof Worker.runReplayHistory>[1];

/** Replays a history against today's workflow code. Rejects when the code would decide otherwise than it did. */
export async function replay(history: History): Promise<void> {
  quietRuntime();
  bundle ??= bundleWorkflows();
  await Worker.runReplayHistory({ workflowBundle: await bundle }, history);
}
