import { join } from 'node:path';
import { root } from './command.mjs';
import { runProgram } from './run-program.mjs';

/** The number of requests. They take about 40 seconds. `npm run fuzz` sends 200,000 requests. */
const requests = 3_000;
/** Enough to install schemathesis over a slow network, and to send the requests on a busy machine. */
const timeoutMs = 600_000;

/** Sends random requests to a stack, and prints the table of operations and statuses. Returns { passed, failures }, as `runChecks`. */
export async function runShortFuzz() {
  const startedAt = Date.now();
  const args = [join(root, 'dev', 'fuzz.mjs'), '--requests', String(requests)];
  const { code, output } = await runProgram(process.execPath, args, { cwd: root, timeoutMs });
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  process.stdout.write(`\n${output.trim()}\nfuzz: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s\n`);
  return code === 0 ? { passed: 1, failures: [] } : { passed: 0, failures: [{ name: 'fuzz', output }] };
}
