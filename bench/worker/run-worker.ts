import { renderCharts } from '../../dev/charts/render-charts';
import { MemoryCurve, residentMb } from '../report/memory-curve';
import { saveOutput } from '../report/save-output';
import { startProgressBar } from '../report/progress';
import { sparkline } from '../report/sparkline';
import { formatNumber, formatTable } from '../report/table';
import { type BenchStack, startBenchStack } from './bench-stack';
import { createTransactions } from './create-transactions';

/** The options of the bench `worker`. */
export interface WorkerPlan {
  transactions: number;
}

/** How many workflows the worker caches. The number is small, so that the cache is full soon after the start of the bench. */
const cachedWorkflows = 200;
/** Pause between measurements of the memory. */
const sampleEveryMs = 2_000;
/**
 * Heap limit of each Node process. Without this limit, V8 leaves gigabytes of garbage in memory. A bench of a few minutes cannot
 * distinguish this garbage from a leak. With this limit, a real leak fills the heap and ends the worker.
 */
const heapMb = 160;
/** The growth is measured after this share of the transactions. Until then, the heap may still fill up. */
const warmUpShare = 0.5;
/**
 * The highest accepted growth of the memory, in MB per 1,000 transactions. If the worker leaked whole workflows, the growth would be about
 * 200 MB. This limit detects a leak of 1/40 of this size.
 */
const growthMbPerThousandMax = 5;

/** Measures the memory of a real worker while it starts the workflows of transactions. Returns whether the memory stays flat after the warm-up. */
export async function runWorker({ transactions }: WorkerPlan, output: NodeJS.WriteStream): Promise<boolean> {
  output.write('Starting a stack …\n');
  const bench = await startBenchStack({
    WORKER_CACHED_WORKFLOWS: String(cachedWorkflows),
    NODE_OPTIONS: `--max-old-space-size=${heapMb}`,
  });
  try {
    return await measure(bench, transactions, output);
  } finally {
    await bench.stop();
  }
}

async function measure({ stack }: BenchStack, transactions: number, output: NodeJS.WriteStream) {
  const pid = stack.pids().worker;
  if (pid === undefined) throw new Error('The worker is not running.');
  const updateProgress = startProgressBar(output, 'Created', transactions);
  let created = 0;
  const memory = new MemoryCurve().start(
    sampleEveryMs,
    () => created,
    () => residentMb(pid),
  );
  const startedAt = Date.now();
  await createTransactions(stack, transactions, () => updateProgress((created += 1))).finally(() => memory.stop());
  const seconds = (Date.now() - startedAt) / 1_000;
  if (stack.pids().worker !== pid) throw new Error('The worker restarted during the bench.');

  const warmUpTransactions = Math.max(2 * cachedWorkflows, transactions * warmUpShare);
  const growth = memory.slopeFrom(warmUpTransactions) * 1_000;
  const isFlat = growth < growthMbPerThousandMax;
  const shares = [0.2, 0.4, 0.6, 0.8, 1];
  output.write(
    `\n${transactions.toLocaleString('en')} transactions, created in ` +
      `${formatNumber(seconds, 1)} s (${formatNumber(transactions / seconds, 1)} per second), cache of ${cachedWorkflows} workflows, heap of ${heapMb} MB\n\n`,
  );
  const formatMbAt = (share: number) => formatNumber(memory.mbAt(share * transactions) ?? Number.NaN, 0);
  output.write(
    `${formatTable(['share of transactions', ...shares.map((share) => `${share * 100} %`)], [['worker, MB', ...shares.map(formatMbAt)]])}\n`,
  );
  output.write(`\n  ${sparkline(memory.points.map(([, mb]) => mb))}\n\n`);
  output.write(`Chart: ${saveOutput('worker.svg', drawWorker(memory))}\n`);
  output.write(
    `Memory after transaction ${formatNumber(warmUpTransactions, 0)}: ${isFlat ? 'flat' : 'NOT flat'}, ` +
      `${formatNumber(growth, 1)} MB per 1,000 transactions, limit ${growthMbPerThousandMax}\n`,
  );
  return isFlat;
}

function drawWorker(memory: MemoryCurve): string {
  return renderCharts([
    {
      title: 'Memory of the worker under load',
      x: { name: 'transactions created' },
      y: { name: 'MB', suggestedMax: 400 },
      series: [{ type: 'line', name: `resident, cache of ${cachedWorkflows}`, data: memory.points }],
    },
  ]);
}
