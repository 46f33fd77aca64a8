import { type ReplayHistoriesIterable, Worker } from '@temporalio/worker';
import { builtBundle } from '../../worker/built-bundle';
import { quietRuntime } from '../support/quiet-runtime';
import type { ChaosWorld } from './chaos-world';

/** Replays the history of every transaction like a new worker. Returns those that fail, with the error. */
export async function replayHistories<Run extends { transactionId: string }>(
  world: ChaosWorld,
  runs: readonly Run[],
): Promise<Map<Run, string>> {
  quietRuntime();
  const created = new Map(runs.filter(({ transactionId }) => transactionId).map((run) => [run.transactionId, run]));
  async function* histories(): ReplayHistoriesIterable {
    for (const workflowId of created.keys()) yield { workflowId, history: await world.readHistory(workflowId) };
  }
  const broken = new Map<Run, string>();
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: builtBundle }, histories())) {
    const run = created.get(workflowId);
    if (run && error) broken.set(run, error.message.slice(0, 300));
  }
  return broken;
}
