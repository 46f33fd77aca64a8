import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import type { Stack } from '../../dev/stack/stack';
import { transactionWorkflowId } from '../../workflows/contract/ids';
import type { BenchTransaction } from '../worker/bench-caller';

/**
 * The number of Temporal events in the history of a workflow when its first workflow task is complete. One event is the start of the
 * workflow. Three events belong to the task: scheduled, started and completed.
 */
const eventsOfFirstTask = 4;
const pollMs = 10;

/** Waits for the first workflow tasks on one stack. The stack can be of this version of the service, or of an earlier version. */
export interface FirstTasks {
  /** Resolves when the first workflow task of every transaction is complete. */
  waitFor(transactions: readonly BenchTransaction[]): Promise<void>;
  close(): Promise<void>;
}

export async function openFirstTasks({ addresses }: Stack): Promise<FirstTasks> {
  const connection = await Connection.connect({ address: addresses.temporal });
  const isComplete = async ({ path }: BenchTransaction) => {
    const workflowId = transactionWorkflowId('local', path.split('/').at(-1) ?? '');
    const request = { namespace: 'default', execution: { workflowId } };
    const { workflowExecutionInfo } = await connection.workflowService.describeWorkflowExecution(request);
    return Number(workflowExecutionInfo?.historyLength ?? 0) >= eventsOfFirstTask;
  };
  return {
    async waitFor(transactions) {
      for (const transaction of transactions) while (!(await isComplete(transaction))) await sleep(pollMs);
    },
    close: () => connection.close(),
  };
}
