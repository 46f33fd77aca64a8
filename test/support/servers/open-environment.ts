import { setTimeout as pause } from 'node:timers/promises';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { acquireServer } from './borrow-server';

/** The SDK connects to a running server that skips time, too, but offers it only for servers that it started itself (1.22.0). */
interface Connects {
  create(options: {
    server: { type: 'existing' };
    address: string;
    supportsTimeSkipping: true;
  }): Promise<TestWorkflowEnvironment>;
}

/** More than any suite starts. */
const maxWorkflows = 1_000;
/** Skipping an hour takes milliseconds; a clock that does not arrive in this time stands still. */
const skippedWithinMs = 5_000;

/**
 * Ends what a suite leaves: the clock goes no further than a task that nobody takes any more, so the next suite would wait for
 * ever. Answers whether the clock goes on; the server loses a task now and then (temporalio/sdk-java#3088).
 */
async function clear({ client, connection, sleep }: TestWorkflowEnvironment): Promise<boolean> {
  const { executions } = await connection.workflowService.listOpenWorkflowExecutions({
    namespace: 'default',
    maximumPageSize: maxWorkflows,
    startTimeFilter: {},
  });
  const end = async (workflowId: string) => {
    // It may be over by itself.
    await client.workflow
      .getHandle(workflowId)
      .terminate()
      .catch(() => undefined);
  };
  await Promise.all(executions.map(({ execution }) => end(execution?.workflowId ?? '')));
  const skipped = sleep('1h').then(
    () => true,
    () => false,
  );
  return Promise.race([skipped, pause(skippedWithinMs, false, { ref: false })]);
}

/** The client's connection stays open: a call that the SDK retries by itself ends the process when it finds it closed. */
const disconnect = ({ nativeConnection }: TestWorkflowEnvironment): Promise<void> => nativeConnection.close();

/** Connects to the dev server that all suites share: each has its own task queue. */
export async function openDevServer(): Promise<TestWorkflowEnvironment> {
  const { address } = await acquireServer('temporal');
  const env = await TestWorkflowEnvironment.createFromExistingServer({ address });
  env.teardown = () => disconnect(env);
  return env;
}

/** Connects to a server that skips time, the suite's own until it is torn down; then another suite may have it. */
export async function openSkippingServer(): Promise<TestWorkflowEnvironment> {
  const { address, release } = await acquireServer('skipping');
  const options = { server: { type: 'existing' }, address, supportsTimeSkipping: true } as const;
  const env = await (TestWorkflowEnvironment as unknown as Connects).create(options);
  env.teardown = async () => {
    const reusable = await clear(env).catch(() => false);
    await disconnect(env);
    if (reusable) await release();
  };
  return env;
}
