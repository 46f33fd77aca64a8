import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import { terminateWorkflow } from '../../../platform/temporal/connection';

const clientWith = (terminate: () => Promise<void>) =>
  ({
    withDeadline: (_: number, call: () => Promise<unknown>) => call(),
    workflow: { getHandle: () => ({ terminate }) },
  }) as unknown as Client;

test('a termination that Temporal never answers fails within 2 s', async () => {
  jest.useFakeTimers();
  const client = clientWith(() => new Promise(() => undefined));
  const failure = terminateWorkflow(client, 'id', 'reason').catch(String);
  await jest.advanceTimersByTimeAsync(2_000);
  expect(await failure).toContain('Temporal did not answer in time');
  jest.useRealTimers();
});

test('a workflow that does not run needs no termination', async () => {
  const client = clientWith(async () => Promise.reject(new WorkflowNotFoundError('gone', 'id', undefined)));
  expect(await terminateWorkflow(client, 'id', 'reason')).toBe(false);
  expect(
    await terminateWorkflow(
      clientWith(async () => undefined),
      'id',
      'reason',
    ),
  ).toBe(true);
});
