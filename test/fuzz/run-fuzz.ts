import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgressBar } from '../../bench/report/progress';
import { fetchContract } from '../acceptance/support/openapi-contract';
import { root, type TestStack } from '../acceptance/support/test-stack';
import { countRequests, FuzzReport, formatFailure } from './fuzz-report';
import { startFuzzStack } from './fuzz-stack';
import { runRound } from './run-schemathesis';

export interface FuzzPlan {
  /** The path of schemathesis. */
  program: string;
  /** The minimum number of requests. */
  requests: number;
  seed: number;
}

/** Cases (generated requests) for each operation in the first rounds. */
const firstExamples = 10;
/** The most cases for each operation, and the most sequences of requests, in one round. With more, schemathesis needs too much memory. */
const examplesMax = 300;

let stack: TestStack | undefined;

export const interruptFuzz = async (): Promise<void> => stack?.remove();

/**
 * Sends random requests to a new stack, and prints a table of operations and statuses. Returns whether all checks hold, no answer was 5xx
 * except 503, and every operation succeeded at least once.
 */
export async function runFuzz(plan: FuzzPlan, output: NodeJS.WriteStream): Promise<boolean> {
  output.write('Starting a stack …\n');
  const started = await startFuzzStack();
  ({ stack } = started);
  try {
    return await sendRounds(plan, started, output);
  } finally {
    await stack.remove();
  }
}

/**
 * The OpenAPI document with a security scheme of the type `http` instead of `oauth2`: only then schemathesis also tests requests without a
 * token.
 */
async function readDocument(address: string): Promise<object> {
  const { document } = await fetchContract(address);
  const components = { ...document.components, securitySchemes: { token: { type: 'http', scheme: 'bearer' } } };
  return { ...document, components };
}

async function sendRounds(
  { program, requests, seed }: FuzzPlan,
  { stack: { stack }, token, values }: Awaited<ReturnType<typeof startFuzzStack>>,
  output: NodeJS.WriteStream,
): Promise<boolean> {
  const folder = join(root, '.cache', 'fuzz');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const [document, valuesFile] = [join(folder, 'openapi.json'), join(folder, 'values.json')];
  const address = stack.addresses.api;
  writeFileSync(document, JSON.stringify(await readDocument(address)));
  writeFileSync(valuesFile, JSON.stringify(values));
  const environment = { FUZZ_TOKEN: token, FUZZ_VALUES: valuesFile };

  const report = new FuzzReport();
  const showProgress = startProgressBar(output, 'requests', requests);
  const brokenRounds: string[] = [];
  /** The number of requests of each running round, by its seed. */
  const running = new Map<number, number>();
  const countSent = () => [...running.values()].reduce((total, count) => total + count, report.requests);
  let nextSeed = seed;
  /** Returns the number of requests. If `mayEndEarly`, the round ends as soon as enough requests were sent. */
  const run = async (phases: string, examples: number, mayEndEarly = true): Promise<number> => {
    const roundSeed = nextSeed++;
    const { hasFailed, outputFile, ...result } = await runRound(
      {
        program,
        document,
        address,
        folder,
        environment: { ...environment, FUZZ_SUCCEEDED: JSON.stringify(report.withSuccess) },
        seed: roundSeed,
        phases,
        examples,
      },
      (count) => {
        running.set(roundSeed, count);
        showProgress(Math.min(requests - 1, countSent()));
        return !mayEndEarly || countSent() < requests;
      },
    );
    running.delete(roundSeed);
    report.add(result);
    // Without a failed check, the error is in schemathesis or in the document.
    if (hasFailed && result.failures.length === 0) brokenRounds.push(outputFile);
    return countRequests(result);
  };

  const isEnough = () => countSent() >= requests || brokenRounds.length > 0;
  const sendCases = async () => {
    let requestsPerExample = (await run('fuzzing', firstExamples, false)) / firstExamples;
    while (!isEnough()) {
      const examples = Math.min(examplesMax, Math.ceil((requests - countSent()) / Math.max(1, requestsPerExample)));
      requestsPerExample = (await run('fuzzing', examples)) / examples;
    }
  };
  const sendSequences = async () => {
    await run('examples,coverage', firstExamples, false);
    do await run('stateful', examplesMax);
    while (!isEnough());
  };
  // Each runs its own Python process at the same time, because the threads of one Python process share one core.
  await Promise.all([sendCases(), sendSequences()]);
  showProgress(requests);
  return print(report, { requests, seed, brokenRounds }, output);
}

function print(
  report: FuzzReport,
  { requests, seed, brokenRounds }: { requests: number; seed: number; brokenRounds: string[] },
  output: NodeJS.WriteStream,
): boolean {
  const failures = [...report.failures.values()];
  const passed =
    failures.length === 0 &&
    brokenRounds.length === 0 &&
    report.serverErrors === 0 &&
    report.withoutSuccess.length === 0 &&
    report.requests >= requests;
  output.write(`\n${report.table}\n
Requests: ${report.requests}, at least ${requests}
Failed checks: ${failures.length}, limit 0
5xx except 503: ${report.serverErrors}, limit 0
Operations without a success: ${report.withoutSuccess.join(', ') || 'none'}
Excluded: ${JSON.stringify(report.excluded)} (reasons: test/fuzz/exclusions.py)
`);
  for (const failure of failures) output.write(`\n${formatFailure(failure)}`);
  for (const file of brokenRounds) output.write(`\nschemathesis ended with an error: see ${file}\n`);
  output.write(passed ? '\nPassed.\n' : `\nFAILED. To repeat: npm run fuzz -- --requests ${requests} --seed ${seed}\n`);
  return passed;
}
