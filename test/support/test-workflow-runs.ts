import type { WorkflowRuns } from '../../activities/save-in-run';

/** The run of all states that tests save without Temporal. */
export const testRunId = 'run-1';

/** The only run of a transaction, before its first record. */
export const testRun = { runId: testRunId, savedVersion: 0 };

/** The runs of activities that tests call without Temporal. */
export const testWorkflowRuns: WorkflowRuns = {
  current: () => ({ workflowId: 'workflow-1', runId: testRunId }),
  endResetRun: () => Promise.reject(new Error('A test has reset no workflow.')),
};
