import type { WorkflowRuns } from '../../activities/save-in-run';

/** The id of the workflow run in which tests without Temporal save states. */
export const testRunId = 'run-1';

/** The first workflow run of a transaction, before it has saved a record. */
export const testRun = { runId: testRunId, savedVersion: 0 };

/** The workflow runs for activities that tests call without Temporal. */
export const testWorkflowRuns: WorkflowRuns = {
  current: () => ({ workflowId: 'workflow-1', runId: testRunId }),
  endResetRun: () => Promise.reject(new Error('Tests without Temporal reset no workflow.')),
};
