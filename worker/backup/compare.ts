import type { Client } from '@temporalio/client';
import type { Session } from '../../platform/postgres/session';
import { withDeadline } from '../../platform/temporal/connection';
import { findChangeTimes } from '../../store/transactions/restored-records.sql';
import { parseTransactionWorkflowId, workflowType } from '../../workflows/contract/ids';

/** What Temporal has beside the restored records: the ids of open workflows, by what differs. */
export interface Comparison {
  open: string[];
  /** The workflow went on after the backup: it may know changes that the record lacks. */
  ahead: string[];
  /** The record has a change that the workflow does not know, because Temporal is older. */
  behind: string[];
  /** The transaction has no record: it was created after the backup. */
  withoutRecord: string[];
}

/** A query for the open workflows of the transactions of one installation that have started before a time. */
export const openTransactionsQuery = (taskQueue: string, startedBefore: Date): string =>
  `WorkflowType = '${workflowType}' and TaskQueue = '${taskQueue}' and ExecutionStatus = 'Running' and StartTime < '${startedBefore.toISOString()}'`;

/** The clocks of Temporal, Postgres and this process differ by less. */
export const clockDifferenceMs = 1_000;
const callMs = 5_000;
/** Workflows that are compared at the same time. */
const batchSize = 50;

interface OpenWorkflow {
  workflowId: string;
  runId: string;
}

/** Enough for the events after the last workflow task, such as timers that fired while no worker ran. */
const newestEvents = 50;

/**
 * When the code of a workflow last ran. Only then it changes, and saves its record. Other events, such as a timer that fires while no worker
 * runs, change nothing.
 */
async function lastRunAt(client: Client, namespace: string, { workflowId, runId }: OpenWorkflow): Promise<number> {
  const { history } = await withDeadline(client, callMs, ({ workflowService }) =>
    workflowService.getWorkflowExecutionHistoryReverse({
      namespace,
      execution: { workflowId, runId },
      maximumPageSize: newestEvents,
    }),
  );
  const task = history?.events?.find((event) => event.workflowTaskCompletedEventAttributes);
  const { seconds, nanos } = task?.eventTime ?? {};
  return Number(seconds ?? 0) * 1_000 + (nanos ?? 0) / 1e6;
}

/** Compares the open workflows with the restored records. No worker has to run. `backedUpAt`: the time of the snapshot. */
export async function compareWithTemporal(
  client: Client,
  { namespace, query, backedUpAt }: { namespace: string; query: string; backedUpAt: string },
  session: Session,
  update: (detail: string) => void,
): Promise<Comparison> {
  const result: Comparison = { open: [], ahead: [], behind: [], withoutRecord: [] };
  const compareBatch = async (batch: readonly OpenWorkflow[]) => {
    const targets = batch.flatMap(({ workflowId }) => parseTransactionWorkflowId(workflowId) ?? []);
    const records = await findChangeTimes(session, targets);
    const changedAt = new Map(records.map((record) => [`${record.tenant}/${record.id}`, record.changedAt.getTime()]));
    await Promise.all(
      batch.map(async (workflow) => {
        const target = parseTransactionWorkflowId(workflow.workflowId);
        const recordMs = target && changedAt.get(`${target.tenant}/${target.id}`);
        const lastMs = await lastRunAt(client, namespace, workflow);
        result.open.push(workflow.workflowId);
        if (recordMs === undefined) result.withoutRecord.push(workflow.workflowId);
        else if (lastMs > Date.parse(backedUpAt)) result.ahead.push(workflow.workflowId);
        else if (lastMs < recordMs - clockDifferenceMs) result.behind.push(workflow.workflowId);
      }),
    );
    update(`${result.open.length} open workflows`);
  };
  let batch: OpenWorkflow[] = [];
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    batch.push({ workflowId, runId });
    if (batch.length === batchSize) await compareBatch(batch.splice(0));
  }
  await compareBatch(batch);
  return result;
}
