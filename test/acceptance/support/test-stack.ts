import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../../dev/stack/free-port';
import { type Stack, type StackOptions, startStack } from '../../../dev/stack/stack';
import { ApiClient } from './api-client';
import { InboxClient } from './inbox-client';
import { fetchContract } from './openapi-contract';

/** The folder of the repository. */
export const root = resolve(__dirname, '../../..');

/** The parts that `npm start` runs, on free ports and with their own data folder. */
export interface TestStack {
  stack: Stack;
  /** A caller of the tenant `local` with all scopes. */
  api: ApiClient;
  inbox: InboxClient;
  /** Stops everything and removes the data. */
  remove(): Promise<void>;
  /** Starts again with the same data. */
  restart(whileStopped?: () => Promise<void>): Promise<void>;
}

/** A function, because the stack starts only after the tests are declared. */
export type GetTestStack = () => TestStack;

/** One free port for each part that callers and operators reach. */
export async function findFreePorts() {
  const [api, inbox, temporal, temporalUi, postgres] = await Promise.all(Array.from({ length: 5 }, findFreePort));
  if (!api || !inbox || !temporal || !temporalUi || !postgres) throw new Error('There are no free ports.');
  return { api, inbox, temporal, temporalUi, postgres };
}

/** Builds the program and starts a stack. Takes up to a minute on a busy machine. */
export async function startTestStack(options: Pick<StackOptions, 'env'> = {}): Promise<TestStack> {
  await promisify(execFile)(process.execPath, [join(root, 'dev', 'build.mjs')], { cwd: root });
  const folder = mkdtempSync(join(tmpdir(), 'countersign-acceptance-'));
  const stackOptions: StackOptions = { ...options, dataDir: join(folder, 'data'), ports: await findFreePorts() };
  const stack = await startStack(stackOptions);
  const contract = await fetchContract(stack.addresses.api);
  const testStack: TestStack = {
    stack,
    api: new ApiClient(stack.addresses.api, contract, await stack.token()),
    inbox: new InboxClient(stack.addresses.inbox),
    remove: async () => {
      await testStack.stack.stopAll();
      rmSync(folder, { recursive: true, force: true });
    },
    restart: async (whileStopped) => {
      await testStack.stack.stopAll();
      await whileStopped?.();
      testStack.stack = await startStack(stackOptions);
    },
  };
  return testStack;
}
