import type { Client } from '@temporalio/client';
import { createLogger } from '../../platform/logger';
import { createResetRunEnder } from '../../worker/end-reset';

test('only the workflow run that a reset by an operator has started is ended, and not a later run of the same workflow', async () => {
  const ended: unknown[] = [];
  const client = {
    withDeadline: (_: number, call: () => Promise<unknown>) => call(),
    workflow: { getHandle: (...run: string[]) => ({ terminate: async () => void ended.push(run) }) },
  } as unknown as Client;
  await createResetRunEnder(client, createLogger('test', 'silent'))({ workflowId: 'workflow-1', runId: 'run-2' });
  expect(ended).toEqual([['workflow-1', 'run-2']]);
});
