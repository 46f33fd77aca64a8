import { activityInfo } from '@temporalio/activity';
import { RecordOfOtherRunError } from '../store/record/transactions.sql';

/** One run of a workflow in Temporal. It is not a flow run. */
export interface WorkflowRun {
  workflowId: string;
  runId: string;
}

/** Finds the workflow run of the current activity, and ends workflow runs. */
export interface WorkflowRuns {
  current(): WorkflowRun;
  /** Ends only this workflow run, which began with a reset. A later run of the same workflow continues. */
  endResetRun(run: WorkflowRun): Promise<void>;
}

/** The workflow run of the current activity. Throws an error outside of an activity. */
export function currentRun(): WorkflowRun {
  const { workflowExecution } = activityInfo();
  if (!workflowExecution) throw new Error('The activity has no workflow: this is a bug.');
  return workflowExecution;
}

/**
 * Saves a state for the current workflow run. If another workflow run has saved a newer record, an operator has reset the workflow to an
 * earlier point. In this case, ends the current workflow run and throws RecordOfOtherRunError. The next command then resumes the
 * transaction from its record.
 */
export async function saveInRun<Result>(
  workflowRuns: WorkflowRuns,
  save: (runId: string) => Promise<Result>,
): Promise<Result> {
  const run = workflowRuns.current();
  try {
    return await save(run.runId);
  } catch (error) {
    if (error instanceof RecordOfOtherRunError) await workflowRuns.endResetRun(run);
    throw error;
  }
}
