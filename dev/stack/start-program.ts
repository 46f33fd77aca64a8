import { setTimeout as sleep } from 'node:timers/promises';
import { type BoundProgramOptions, spawnBound } from './bound-program';

/** A server program that accepts connections at `address`. */
export interface RunningProgram {
  address: string;
  /** Sends this signal, by default SIGTERM, and waits until the program has ended. Resolves to its exit code. */
  stop(signal?: NodeJS.Signals): Promise<unknown>;
}

/** Most servers respond within two seconds. On a busy machine, a Java program has needed more than ten. */
const startTimeoutMs = 60_000;
/** After this time, a program that hangs is killed. Temporal ends within a second, and Postgres within five. */
const stopTimeoutMs = 10_000;

/** Waits until the program responds, and throws if it does not start. The program ends with this process. */
export async function startProgram(
  file: string,
  args: readonly string[],
  address: string,
  isReady: () => Promise<boolean>,
  options?: BoundProgramOptions,
): Promise<RunningProgram> {
  const program = spawnBound(file, args, options);
  let hasEnded = false;
  const end = new Promise<void>((resolve) => {
    for (const event of ['exit', 'error']) program.once(event, () => resolve());
  }).then(() => void (hasEnded = true));
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    program.kill(signal);
    const timer = setTimeout(() => program.kill('SIGKILL'), stopTimeoutMs);
    await end;
    clearTimeout(timer);
    return program.exitCode;
  };
  for (const deadlineMs = Date.now() + startTimeoutMs; !(await isReady()); await sleep(50)) {
    if (!hasEnded && Date.now() < deadlineMs) continue;
    await stop('SIGKILL');
    throw new Error(`${file} did not start.`);
  }
  return { address, stop };
}
