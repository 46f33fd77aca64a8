import { renderCharts } from '../../dev/charts/render-charts';
import { MemoryCurve, residentMb } from '../report/memory-curve';
import { keepOutput } from '../report/out-folder';
import { showProgress } from '../report/progress';
import { sparkline } from '../report/sparkline';
import { figure, table } from '../report/table';
import { AssessedCount } from './assessed-count';
import { type BenchStack, startBenchStack } from './bench-stack';
import { createTransactions } from './create-transactions';

export interface WorkerPlan {
  transactions: number;
}

/** Small, so that it is full after a fraction of the run and what comes after is the steady state. */
const cachedWorkflows = 200;
const sampleEveryMs = 2_000;
/**
 * Heap of each Node process. Left alone, V8 lets garbage lie until gigabytes are used, so that a run of minutes cannot
 * tell it from a leak. What is really kept would soon fill this, and end the worker.
 */
const heapMb = 160;
/** The heap fills up to its limit first. */
const settledShare = 0.5;
/** A workflow that stayed in memory would be about 200 MB per 1,000 transactions: this tells of a fortieth of it. */
const flatMbPerThousand = 5;

/** Measures the memory of a real worker while it assesses transactions. Answers whether it stays flat. */
export async function runWorker({ transactions }: WorkerPlan, output: NodeJS.WriteStream): Promise<boolean> {
  output.write('Starting a stack …\n');
  const bench = await startBenchStack({
    WORKER_CACHED_WORKFLOWS: String(cachedWorkflows),
    NODE_OPTIONS: `--max-old-space-size=${heapMb}`,
  });
  try {
    return await measure(bench, transactions, output);
  } finally {
    await bench.end();
  }
}

async function measure({ stack, postgresPort }: BenchStack, transactions: number, output: NodeJS.WriteStream) {
  const pid = stack.pids().worker;
  if (pid === undefined) throw new Error('The worker does not run.');
  const progress = showProgress(output, 'Assessed', transactions);
  const assessed = new AssessedCount(stack, postgresPort);
  const memory = new MemoryCurve().begin(
    sampleEveryMs,
    () => assessed.now,
    () => residentMb(pid),
  );
  const begun = Date.now();
  let createdAt = begun;
  const creating = createTransactions(stack, transactions).then(() => void (createdAt = Date.now()));
  await Promise.all([creating, assessed.follow(transactions, progress)]).finally(() => memory.end());
  const [createSeconds, seconds] = [(createdAt - begun) / 1_000, (Date.now() - begun) / 1_000];
  if (stack.pids().worker !== pid) throw new Error('The worker was started anew during the run.');

  const settled = Math.max(2 * cachedWorkflows, transactions * settledShare);
  const rising = memory.slopeFrom(settled) * 1_000;
  const flat = rising < flatMbPerThousand;
  const shares = [0.2, 0.4, 0.6, 0.8, 1];
  output.write(
    `\n${transactions.toLocaleString('en')} transactions, created in ${figure(createSeconds, 1)} s and assessed in ` +
      `${figure(seconds, 1)} s (${figure(transactions / seconds, 1)} per second), cache of ${cachedWorkflows} workflows, heap of ${heapMb} MB\n\n`,
  );
  const at = (share: number) => figure(memory.at(share * transactions) ?? Number.NaN, 0);
  output.write(
    `${table(['of the transactions', ...shares.map((share) => `${share * 100} %`)], [['worker, MB', ...shares.map(at)]])}\n`,
  );
  output.write(`\n  ${sparkline(memory.points.map(([, mb]) => mb))}\n\n`);
  output.write(`Picture: ${keepOutput('worker.svg', drawWorker(memory))}\n`);
  output.write(
    `From transaction ${figure(settled, 0)} on, the worker's memory ${flat ? 'is flat' : 'is NOT flat'}: ` +
      `${figure(rising, 1)} MB per 1,000 transactions (less than ${flatMbPerThousand})\n`,
  );
  return flat;
}

function drawWorker(memory: MemoryCurve): string {
  return renderCharts([
    {
      title: 'Memory of the worker under load',
      x: { name: 'transactions assessed' },
      y: { name: 'MB', atLeast: 400 },
      series: [{ type: 'line', name: `resident, cache of ${cachedWorkflows}`, data: memory.points }],
    },
  ]);
}
