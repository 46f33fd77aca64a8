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
      await env.teardown();
      await giveBack();
    },
  };
}
