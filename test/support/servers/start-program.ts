import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Suites connect to `address`. */
export interface TestServer {
  address: string;
  stop(): Promise<void>;
}

/** Most servers respond within two seconds. On a busy machine, a Java program has needed more than ten. */
const startTimeoutMs = 60_000;
/** A server that hangs must not delay the end of the test run. */
const stopTimeoutMs = 2_000;

/** Waits until the program responds, and throws if it does not start. When this process ends, the program ends too. */
export async function startProgram(
  file: string,
  args: readonly string[],
  address: string,
  isReady: () => Promise<boolean>,
): Promise<TestServer> {
  const program = spawn(file, args, { stdio: 'ignore' });
  const endPromise = new Promise<void>((resolve) => {
    program.once('exit', () => resolve());
    program.once('error', () => resolve());
  });
  let hasStopped = false;
  void endPromise.then(() => (hasStopped = true));
  const kill = () => void program.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async () => {
    program.kill('SIGTERM');
    await Promise.race([endPromise, sleep(stopTimeoutMs, undefined, { ref: false })]);
    kill();
    process.off('exit', kill);
  };
  for (const deadlineMs = Date.now() + startTimeoutMs; !(await isReady()); await sleep(50)) {
    if (!hasStopped && Date.now() < deadlineMs) continue;
    await stop();
    throw new Error(`${file} did not start.`);
  }
  return { address, stop };
}
