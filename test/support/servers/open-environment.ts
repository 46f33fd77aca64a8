import { setTimeout as pause } from 'node:timers/promises';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { connectToTestServer } from '../../../dev/flow/simulation/test-server';
import { acquireServer } from './acquire-server';
import { startDevServer } from './start-temporal';

/** More workflows than any suite starts. */
const maxWorkflows = 1_000;
/** If skipping an hour takes longer, the clock has stopped. It usually takes milliseconds. */
const skipTimeoutMs = 5_000;

/**
 * Terminates the workflows of a suite, because an open task would stop the clock for the next suite. Returns whether the clock still runs:
 * a lost task stops the clock (temporalio/sdk-java#3088).
 */
async function resetServer({ client, connection, sleep }: TestWorkflowEnvironment): Promise<boolean> {
  const { executions } = await connection.workflowService.listOpenWorkflowExecutions({
    namespace: 'default',
    maximumPageSize: maxWorkflows,
    startTimeFilter: {},
  });
  const terminate = async (workflowId: string) => {
    // The workflow may have ended already.
    await client.workflow
      .getHandle(workflowId)
      .terminate()
      .catch(() => undefined);
  };
  await Promise.all(executions.map(({ execution }) => terminate(execution?.workflowId ?? '')));
  const skipResult = sleep('1h').then(
    () => true,
    () => false,
  );
  return Promise.race([skipResult, pause(skipTimeoutMs, false, { ref: false })]);
}

/** The connection of the client stays open: if it closed while the client retries a call, the SDK would end the process. */
const disconnect = ({ nativeConnection }: TestWorkflowEnvironment): Promise<void> => nativeConnection.close();

/** All suites share the server. Each suite has its own task queue. */
export async function openDevServer(kind: 'temporal' | 'temporal-short'): Promise<TestWorkflowEnvironment> {
  const { address } = await acquireServer(kind);
  const env = await TestWorkflowEnvironment.createFromExistingServer({ address });
  env.teardown = () => disconnect(env);
  return env;
}

/**
 * A dev server of one suite, for suites that start the program of the worker, or change a schedule: a server has only one schedule with a
 * certain name.
 */
export async function openOwnDevServer(): Promise<TestWorkflowEnvironment> {
  const server = await startDevServer();
  const env = await TestWorkflowEnvironment.createFromExistingServer({ address: server.address });
  env.teardown = async () => {
    await disconnect(env);
    await server.stop();
  };
  return env;
}

/** No other suite uses this server until the teardown of the environment. */
export async function openSkippingServer(): Promise<TestWorkflowEnvironment> {
  const { address, release } = await acquireServer('skipping');
  const env = await connectToTestServer(address);
  env.teardown = async () => {
    const reusable = await resetServer(env).catch(() => false);
    await disconnect(env);
    if (reusable) await release();
  };
  return env;
}
