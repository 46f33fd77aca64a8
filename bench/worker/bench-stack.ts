import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../dev/stack/free-port';
import { type Stack, startStack } from '../../dev/stack/stack';

export interface BenchStack {
  stack: Stack;
  postgresPort: number;
  /** Stops everything and takes its files away. */
  end(): Promise<void>;
}

const started: Promise<BenchStack>[] = [];

/** Starts a whole stack on free ports and in a temporary folder: of this checkout, or by the `startStack` of another one. */
export function startBenchStack(
  env: NodeJS.ProcessEnv,
  startOther: typeof startStack = startStack,
): Promise<BenchStack> {
  const starting = start(env, startOther);
  started.push(starting);
  return starting;
}

async function start(env: NodeJS.ProcessEnv, startOther: typeof startStack): Promise<BenchStack> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  // The folder of mkdtemp is private, but the user of Postgres has to enter it.
  chmodSync(folder, 0o755);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const found = await Promise.all(Array.from({ length: 5 }, findFreePort));
  const [api = 0, inbox = 0, temporal = 0, temporalUi = 0, postgres = 0] = found;
  try {
    const ports = { api, inbox, temporal, temporalUi, postgres };
    const stack = await startOther({ dataDir: join(folder, 'data'), ports, env });
    return { stack, postgresPort: postgres, end: () => stack.stopAll().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Ends the stacks of a run that nobody wants to see the end of. */
export async function interruptStacks(): Promise<void> {
  await Promise.allSettled(started.map(async (starting) => (await starting).end()));
}
