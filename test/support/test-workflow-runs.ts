import type { WorkflowRuns } from '../../activities/save-in-run';

/** The workflow run in which tests without Temporal save states. */
export const testRunId = 'run-1';

/** A workflow run that has not saved a record yet. */
export const testRun = { runId: testRunId, savedVersion: 0 };

/** The workflow runs for activities that tests call without Temporal. */
export const testWorkflowRuns: WorkflowRuns = {
  current: () => ({ workflowId: 'workflow-1', runId: testRunId }),
  endResetRun: () => Promise.reject(new Error('Tests without Temporal reset no workflow.')),
};
