import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../../../dev/stack/free-port';
import { type Stack, type StackOptions, startStack } from '../../../dev/stack/stack';
import { ApiClient } from './api-client';
import { InboxReader } from './inbox-reader';
import { fetchContract } from './openapi-contract';

export const root = resolve(__dirname, '../../..');

/** A whole product under test: the parts that `npm start` runs, on free ports and a data folder of its own. */
export interface TestStack {
  stack: Stack;
  /** Calls as the tenant `local` with all scopes. */
  api: ApiClient;
  inbox: InboxReader;
  /** Stops everything and removes the data. */
  remove(): Promise<void>;
  /** Stops everything, calls back, and starts it again on the same data. */
  restart(whileStopped?: () => Promise<void>): Promise<void>;
}

/** What a suite is given: the stack is there when its tests run, not yet when they are declared. */
export type GetTestStack = () => TestStack;

/** A free port for each part that callers and operators reach. */
export async function freePorts() {
  const [api, inbox, temporal, temporalUi, postgres] = await Promise.all(Array.from({ length: 5 }, findFreePort));
  if (!api || !inbox || !temporal || !temporalUi || !postgres) throw new Error('no free ports');
  return { api, inbox, temporal, temporalUi, postgres };
}

/** Starts a stack from the built program, which is brought up to date first. Needs up to a minute on a busy machine. */
export async function startTestStack(options: Pick<StackOptions, 'env'> = {}): Promise<TestStack> {
  await promisify(execFile)(process.execPath, [join(root, 'dev', 'build.mjs')], { cwd: root });
  const folder = mkdtempSync(join(tmpdir(), 'countersign-acceptance-'));
  // The folder of mkdtemp is private, but the user of Postgres has to enter it.
  chmodSync(folder, 0o755);
  const wanted: StackOptions = { ...options, dataDir: join(folder, 'data'), ports: await freePorts() };
  const stack = await startStack(wanted);
  const contract = await fetchContract(stack.addresses.api);
  const testStack: TestStack = {
    stack,
    api: new ApiClient(stack.addresses.api, contract, await stack.token()),
    inbox: new InboxReader(stack.addresses.inbox),
    remove: async () => {
      await testStack.stack.stopAll();
      rmSync(folder, { recursive: true, force: true });
    },
    restart: async (whileStopped) => {
      await testStack.stack.stopAll();
      await whileStopped?.();
      testStack.stack = await startStack(wanted);
    },
  };
  return testStack;
}
