import { spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A failed check. Equal failures of an operation with the same status are one entry. */
export interface FuzzFailure {
  operation: string;
  title: string;
  message: string;
  request: string;
  response: string;
  count: number;
}

/** What hooks.py writes at the end of a round. */
export interface RoundResult {
  /** Requests by operation and status. */
  statuses: Record<string, Record<string, number>>;
  /** Failures that do not count, by reason: see exclusions.py. */
  excluded: Record<string, number>;
  failures: FuzzFailure[];
}

/** One run of schemathesis. */
export interface Round {
  program: string;
  /** The OpenAPI document as a file: with the URL, schemathesis would not test the operation that returns the document. */
  document: string;
  address: string;
  /** Folder of the report and of the output. */
  folder: string;
  environment: Record<string, string>;
  seed: number;
  /** Separated by commas. `fuzzing` sends single requests, `stateful` sends sequences. */
  phases: string;
  /** Cases for each operation in each phase. */
  examples: number;
}

/**
 * `onProgress` gets the number of requests so far, and returns whether the round goes on. `hasFailed`: a check failed, or schemathesis
 * crashed.
 */
export async function runRound(
  { program, document, address, folder, environment, seed, phases, examples }: Round,
  onProgress: (requests: number) => boolean,
): Promise<RoundResult & { hasFailed: boolean; outputFile: string }> {
  const [outputFile, resultFile] = [join(folder, `output-${seed}.txt`), join(folder, `result-${seed}.json`)];
  const options = ['--url', address, '--phases', phases, '--max-examples', String(examples), '--seed', String(seed)];
  const config = join(__dirname, 'schemathesis.toml');
  const child = spawn(program, ['--config-file', config, 'run', document, '--no-color', ...options], {
    cwd: folder,
    env: {
      ...process.env,
      ...environment,
      FUZZ_RESULT: resultFile,
      FUZZ_SEED: String(seed),
      SCHEMATHESIS_HOOKS: 'hooks',
      PYTHONPATH: __dirname,
      PYTHONDONTWRITEBYTECODE: '1',
    },
    stdio: ['ignore', openSync(outputFile, 'w'), 'pipe'],
  });
  let isStopped = false;
  const stop = () => child.kill();
  process.once('exit', stop);
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    const requests = /requests (\d+)\n$/.exec(text)?.[1];
    if (requests === undefined || onProgress(Number(requests)) || isStopped) return;
    isStopped = true;
    // Like Ctrl-C: schemathesis ends its case, and writes its results.
    child.kill('SIGINT');
  });
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });
  process.off('exit', stop);
  if (!existsSync(resultFile)) throw new Error(`schemathesis did not start. See ${outputFile}`);
  return {
    ...(JSON.parse(readFileSync(resultFile, 'utf8')) as RoundResult),
    hasFailed: code !== 0 && !isStopped,
    outputFile,
  };
}
