import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../dev/stack/free-port';
import { type Stack, startStack } from '../../dev/stack/stack';

/** A whole stack that a bench has started. */
export interface BenchStack {
  stack: Stack;
  postgresPort: number;
  /** Stops the stack and deletes its files. */
  stop(): Promise<void>;
}

const stacks: Promise<BenchStack>[] = [];

/** Starts a whole stack on free ports in a temporary folder. `launchStack` may be the `startStack` of another checkout. */
export function startBenchStack(
  env: NodeJS.ProcessEnv,
  launchStack: typeof startStack = startStack,
): Promise<BenchStack> {
  const stackPromise = start(env, launchStack);
  stacks.push(stackPromise);
  return stackPromise;
}

async function start(env: NodeJS.ProcessEnv, launchStack: typeof startStack): Promise<BenchStack> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const deleteFolder = () => rmSync(folder, { recursive: true, force: true });
  const freePorts = await Promise.all(Array.from({ length: 5 }, findFreePort));
  const [api = 0, inbox = 0, temporal = 0, temporalUi = 0, postgres = 0] = freePorts;
  try {
    const ports = { api, inbox, temporal, temporalUi, postgres };
    const stack = await launchStack({ dataDir: join(folder, 'data'), ports, env });
    return { stack, postgresPort: postgres, stop: () => stack.stopAll().finally(deleteFolder) };
  } catch (error) {
    deleteFolder();
    throw error;
  }
}

/** Stops all stacks when the bench is interrupted. */
export async function interruptStacks(): Promise<void> {
  await Promise.allSettled(stacks.map(async (starting) => (await starting).stop()));
}
