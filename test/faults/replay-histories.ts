import { type ReplayHistoriesIterable, Worker } from '@temporalio/worker';
import { builtBundle } from '../../worker/bundle';
import { quietRuntime } from '../support/quiet-runtime';
import { parseTransactionWorkflowId, transactionWorkflowId } from '../../workflows/contract/ids';
import { openStackConverter } from '../support/stack-keys';
import { type ChaosWorld, tenant } from './chaos-world';

/**
 * Replays the history of the transaction of each run. A run is a scenario or a flow run. Returns the error of each run whose history
 * cannot be replayed.
 */
export async function replayHistories<Run extends { transactionId: string }>(
  world: Pick<ChaosWorld, 'readHistory' | 'pool'> & { stack: { dataDir: string } },
  runs: readonly Run[],
): Promise<Map<Run, string>> {
  quietRuntime();
  const runsById = new Map(runs.filter(({ transactionId }) => transactionId).map((run) => [run.transactionId, run]));
  async function* histories(): ReplayHistoriesIterable {
    for (const transactionId of runsById.keys())
      yield {
        workflowId: transactionWorkflowId(tenant, transactionId),
        history: await world.readHistory(transactionId),
      };
  }
  const errorsByRun = new Map<Run, string>();
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle: builtBundle, dataConverter: openStackConverter(world.stack.dataDir, world.pool) },
    histories(),
  )) {
    const run = runsById.get(parseTransactionWorkflowId(workflowId)?.id ?? '');
    if (run && error) errorsByRun.set(run, error.message.slice(0, 300));
  }
  return errorsByRun;
}
