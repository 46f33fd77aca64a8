import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** A running program. Suites connect to `address`. */
export interface TestServer {
  address: string;
  stop(): Promise<void>;
}

/** A server responds within a second or two; on a busy machine a Java program has needed more than ten. */
const answersWithinMs = 60_000;
/** A server without data stops at once; a hanging one must not delay the end of the test run. */
const endsWithinMs = 2_000;

/** Starts a program and waits until it responds. It ends with this process. */
export async function startProgram(
  file: string,
  args: readonly string[],
  address: string,
  answers: () => Promise<boolean>,
): Promise<TestServer> {
  const program = spawn(file, args, { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => {
    program.once('exit', () => resolve());
    program.once('error', () => resolve());
  });
  let hasStopped = false;
  void ended.then(() => (hasStopped = true));
  const kill = () => void program.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async () => {
    program.kill('SIGTERM');
    await Promise.race([ended, sleep(endsWithinMs, undefined, { ref: false })]);
    kill();
    process.off('exit', kill);
  };
  for (const givesUpAt = Date.now() + answersWithinMs; !(await answers()); await sleep(50)) {
    if (!hasStopped && Date.now() < givesUpAt) continue;
    await stop();
    throw new Error(`${file} did not start.`);
  }
  return { address, stop };
}
