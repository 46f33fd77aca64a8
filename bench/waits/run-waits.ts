import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../../dev/stack/stack';
import { residentMb } from '../report/memory-curve';
import { startProgressBar } from '../report/progress';
import { formatNumber, formatTable } from '../report/table';
import { BenchCaller } from '../worker/bench-caller';
import { startBenchStack } from '../worker/bench-stack';

/** The options of the bench `waits`. */
export interface WaitsPlan {
  /** Number of callers that wait for events at the same time. */
  callers: number;
  /** Length of each of the two phases: without callers, and with all callers. */
  seconds: number;
}

/** The highest accepted CPU time of the API while all callers wait, as a share of one core. */
const coreShareMax = 0.1;
/** The highest accepted growth of the memory of the API, from the phase without callers to the phase with all callers. */
const growthMbMax = 200;
/** How long one request waits for events. */
const waitSeconds = 20;
/** The number of transactions. Several callers wait for the events of each transaction. */
const transactionCount = 50;
/** After this time, all callers have read the existing events, and wait for new ones. */
const settleMs = 5_000;
/** Linux counts CPU time in clock ticks. Usual machines have 100 clock ticks per second. */
const ticksPerSecond = 100;

/** CPU time of a process, in seconds. */
function cpuSeconds(pid: number): number {
  // Fields 14 and 15 are the CPU time of the process in its own code and in the kernel. Field 2 is a name in brackets that may contain
  // spaces. So everything up to the closing bracket is removed first: fields 14 and 15 then have the indexes 11 and 12.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Measures the API while many callers wait for events. Returns whether CPU time and memory are within their limits. Needs Linux. */
export async function runWaits(plan: WaitsPlan, output: NodeJS.WriteStream): Promise<boolean> {
  output.write('Starting a stack …\n');
  const bench = await startBenchStack({ NODE_ENV: 'production' });
  try {
    return await measure(plan, bench.stack, output);
  } finally {
    await bench.stop();
  }
}

async function measure({ callers, seconds }: WaitsPlan, stack: Stack, output: NodeJS.WriteStream): Promise<boolean> {
  const token = await stack.token();
  const caller = new BenchCaller(stack, token);
  const transactions = await Promise.all(Array.from({ length: transactionCount }, () => caller.createTransaction()));
  const ids = transactions.map(({ path }) => path.split('/').at(-1) ?? '');
  const pid = stack.pids().api ?? 0;
  const updateProgress = startProgressBar(output, 'Seconds', 2 * seconds);
  const measurePhase = async (from: number) => {
    const startedAt = cpuSeconds(pid);
    for (let second = 1; second <= seconds; second += 1) {
      await sleep(1_000);
      updateProgress(from + second);
    }
    return { coreShare: (cpuSeconds(pid) - startedAt) / seconds, mb: residentMb(pid) ?? Number.NaN };
  };
  await sleep(settleMs);
  const idle = await measurePhase(0);
  const counts = { answers: 0, failures: 0 };
  const program = fork(
    require.resolve('./waiting-callers.mjs'),
    [stack.addresses.api, token, String(callers), String(waitSeconds), ...ids],
    { execArgv: [] },
  );
  program.on('message', (message) => Object.assign(counts, message));
  try {
    await sleep(settleMs);
    const answersBefore = counts.answers;
    const waiting = await measurePhase(seconds);
    const answers = counts.answers - answersBefore;
    const growthMb = waiting.mb - idle.mb;
    const passed = waiting.coreShare <= coreShareMax && growthMb <= growthMbMax && counts.failures === 0 && answers > 0;
    const row = (name: string, { coreShare, mb }: typeof idle) => [
      name,
      formatNumber(100 * coreShare, 1),
      formatNumber(mb, 0),
    ];
    output.write(`\n${formatTable(
      ['API', 'CPU, % of a core', 'memory, MB'],
      [row('idle', idle), row(`${callers} callers wait`, waiting)],
    )}\n
Answers: ${answers} in ${seconds} s, failed requests: ${counts.failures}
Limits: ${100 * coreShareMax} % of a core, ${growthMbMax} MB more. ${passed ? 'Passed.' : 'FAILED.'}\n`);
    return passed;
  } finally {
    program.kill();
  }
}
