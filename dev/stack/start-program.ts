import { setTimeout as sleep } from 'node:timers/promises';
import { spawnBound } from './bound-program';

/** A server program that accepts connections at `address`. */
export interface RunningProgram {
  address: string;
  stop(): Promise<void>;
}

/** Most servers respond within two seconds. On a busy machine, a Java program has needed more than ten. */
const startTimeoutMs = 60_000;
/** After this time, a program that hangs is killed. Temporal ends within a second. */
const stopTimeoutMs = 2_000;

/** Waits until the program responds, and throws if it does not start. The program ends with this process. */
export async function startProgram(
  file: string,
  args: readonly string[],
  address: string,
  isReady: () => Promise<boolean>,
): Promise<RunningProgram> {
  const program = spawnBound(file, args);
  let hasEnded = false;
  const end = new Promise<void>((resolve) => {
    for (const event of ['exit', 'error']) program.once(event, () => resolve());
  }).then(() => void (hasEnded = true));
  const stop = async () => {
    program.kill('SIGTERM');
    const timer = setTimeout(() => program.kill('SIGKILL'), stopTimeoutMs);
    await end;
    clearTimeout(timer);
  };
  for (const deadlineMs = Date.now() + startTimeoutMs; !(await isReady()); await sleep(50)) {
    if (!hasEnded && Date.now() < deadlineMs) continue;
    await stop();
    throw new Error(`${file} did not start.`);
  }
  return { address, stop };
}
