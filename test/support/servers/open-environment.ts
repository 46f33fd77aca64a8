import { TestWorkflowEnvironment } from '@temporalio/testing';
import { borrowServer } from './borrow-server';

/** The SDK connects to a running server that skips time, too, but offers it only for servers that it started itself (1.22.0). */
interface Connects {
  create(options: {
    server: { type: 'existing' };
    address: string;
    supportsTimeSkipping: true;
  }): Promise<TestWorkflowEnvironment>;
}

export interface OpenEnvironment {
  env: TestWorkflowEnvironment;
  close(): Promise<void>;
}

/** The clock of a server goes no further than a task that nobody takes any more: of what one suite leaves, the next would wait. */
async function endWorkflows({ client, connection }: TestWorkflowEnvironment): Promise<void> {
  const { executions } = await connection.workflowService.listOpenWorkflowExecutions({
    namespace: 'default',
    maximumPageSize: 1_000,
    startTimeFilter: {},
  });
  await Promise.all(
    executions.map(({ execution }) =>
      client.workflow
        .getHandle(execution?.workflowId ?? '')
        .terminate()
        .catch(() => undefined),
    ),
  );
}

/** Connects to a server of the run. `skipping` moves time at will and is the suite's own until it is closed. */
export async function openEnvironment(server: 'skipping' | 'real'): Promise<OpenEnvironment> {
  const { address, giveBack } = await borrowServer(server === 'real' ? 'temporal' : 'skipping');
  const env = await (server === 'real'
    ? TestWorkflowEnvironment.createFromExistingServer({ address })
    : (TestWorkflowEnvironment as unknown as Connects).create({
        server: { type: 'existing' },
        address,
        supportsTimeSkipping: true,
      }));
  return {
    env,
    async close() {
      if (server === 'skipping') await endWorkflows(env);
      await env.teardown();
      await giveBack();
    },
  };
}
