import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import type { Stack } from '../../dev/stack/stack';
import { MemoryCurve, residentMb } from '../report/memory-curve';
import { startProgressBar } from '../report/progress';
import { median, quantile } from '../report/statistics';
import { formatNumber, formatTable } from '../report/table';
import { startBenchStack } from '../worker/bench-stack';
import { BiometricsCaller } from './biometrics-caller';

/** The options of the bench `uploads`. */
export interface UploadsPlan {
  /** Persons who upload at once. */
  uploads: number;
  /** Size of each image. */
  megabytes: number;
  rounds: number;
}

/** The highest accepted ratio: the p99 of reads while 20 selfies of 5 MB are uploaded at once, divided by the p99 without uploads. */
const ratioMax = 5;
/** The highest accepted growth of the memory of the API during the uploads, compared with the first phase without uploads. */
const growthMbMax = 250;
/**
 * Pause between measurements of the memory. An image stays in memory for about half a second, so every image is in at least one
 * measurement.
 */
const sampleEveryMs = 50;
/** Background work of new transactions ends within this time. */
const settleMs = 3_000;
/** Length of a phase without uploads. It is enough for about 600 reads. */
const idlePhaseMs = 8_000;

/** One read of a transaction, as `reading-process.mjs` reports it. */
interface Reading {
  /** Start of the read, in milliseconds since the epoch. */
  at: number;
  /** Duration of the read. */
  ms: number;
  /** Status of the response; 0 if there was no response. */
  status: number;
}

/** Start and end of a phase, in milliseconds since the epoch. */
type Phase = [number, number];

/**
 * A JPEG of 12 megapixels, as from a phone. With more noise, the file is larger. So the noise is adjusted until the file has about the
 * given size.
 */
async function createImage(megabytes: number): Promise<Buffer> {
  const canvas = { width: 4_000, height: 3_000, channels: 3 as const, background: '#000000' };
  let [low, high, jpeg] = [0, 120, Buffer.alloc(0)];
  while (high - low > 0.5) {
    const sigma = (low + high) / 2;
    const image = sharp({ create: { ...canvas, noise: { type: 'gaussian', mean: 128, sigma } } });
    jpeg = await image.jpeg({ quality: 90 }).toBuffer();
    [low, high] = jpeg.length > megabytes * 1e6 ? [low, sigma] : [sigma, high];
  }
  return jpeg;
}

/** Measures the time of reads and the memory of the API during uploads. Returns whether both are within their limits. */
export async function runUploads(plan: UploadsPlan, output: NodeJS.WriteStream): Promise<boolean> {
  output.write('Starting a stack …\n');
  const image = await createImage(plan.megabytes);
  const bench = await startBenchStack({ NODE_ENV: 'production' });
  try {
    return await measure(plan, image, bench.stack, output);
  } finally {
    await bench.stop();
  }
}

async function measure({ uploads, rounds }: UploadsPlan, image: Buffer, stack: Stack, output: NodeJS.WriteStream) {
  const caller = new BiometricsCaller(stack, await stack.token());
  const timePhase = async (work: () => Promise<unknown>): Promise<Phase> => {
    const startedAt = Date.now();
    await work();
    return [startedAt, Date.now()];
  };

  const readings: Reading[] = [];
  // With `detached` (the system call setsid), the reading process has its own session, a group of processes. Linux divides the CPU equally
  // between sessions, so the uploads of this process do not slow the reading process down.
  const reader = fork(require.resolve('./reading-process.mjs'), [await caller.createTransaction(), caller.token], {
    execArgv: [],
    detached: true,
  });
  reader.on('message', (reading: Reading) => readings.push(reading));
  const memory = new MemoryCurve().start(sampleEveryMs, Date.now, () => residentMb(stack.pids().api ?? 0));
  const updateProgress = startProgressBar(output, 'Rounds', rounds);
  const phases: { idle: Phase; uploading: Phase }[] = [];
  let busyResponses = 0;
  try {
    while (phases.length < rounds) {
      const pages = await caller.openPages(uploads);
      await sleep(settleMs);
      const idle = await timePhase(() => sleep(idlePhaseMs));
      const uploading = await timePhase(() => Promise.all(pages.map((page) => page.upload(image))));
      phases.push({ idle, uploading });
      busyResponses += pages.reduce((sum, page) => sum + page.busyResponses, 0);
      updateProgress(phases.length);
    }
    // Waits for the last messages of the reading process.
    await sleep(settleMs);
  } finally {
    memory.stop();
    reader.kill();
  }
  output.write(`\nThe API was busy ${busyResponses} times. These requests were repeated.\n`);
  return report(phases, readings, memory, output);
}

function report(
  phases: readonly { idle: Phase; uploading: Phase }[],
  readings: readonly Reading[],
  memory: MemoryCurve,
  output: NodeJS.WriteStream,
): boolean {
  const isWithin =
    (selectedPhases: readonly Phase[]) =>
    ({ at }: { at: number }) =>
      selectedPhases.some(([from, to]) => at >= from && at < to);
  const durationsIn = (...windows: Phase[]) => readings.filter(isWithin(windows)).map(({ ms }) => ms);
  const createRow = (name: string, idle: Phase[], uploading: Phase[]) => {
    const [idleReads, uploadingReads] = [durationsIn(...idle), durationsIn(...uploading)];
    const figures = [idleReads, uploadingReads].flatMap((ms) => [median(ms), quantile(ms, 0.99)]);
    const ratio = quantile(uploadingReads, 0.99) / quantile(idleReads, 0.99);
    const seconds = uploading.reduce((sum, [from, to]) => sum + to - from, 0) / 1_000;
    return {
      ratio,
      cells: [name, ...figures.map((ms) => formatNumber(ms, 1)), formatNumber(ratio), formatNumber(seconds, 0)],
    };
  };
  const totalRow = createRow(
    'all',
    phases.map(({ idle }) => idle),
    phases.map(({ uploading }) => uploading),
  );
  const rows = [
    ...phases.map(({ idle, uploading }, index) => createRow(String(index + 1), [idle], [uploading])),
    totalRow,
  ];
  const header = ['round', 'idle, median, ms', 'p99', 'uploading, median, ms', 'p99', 'p99 ratio', 'uploading, s'];
  const [first] = phases;
  const idleMb = median(memory.points.filter(([at]) => first && isWithin([first.idle])({ at })).map(([, mb]) => mb));
  const growthMb = memory.peakMb - idleMb;
  const failures = readings.filter(({ status }) => status !== 200).length;
  const withinLimits = totalRow.ratio <= ratioMax && growthMb <= growthMbMax && failures === 0;
  output.write(`\n${formatTable(
    header,
    rows.map(({ cells }) => cells),
  )}\n
Ratio of p99 of GET /v1/transaction/{id} while uploading, to idle: ${formatNumber(totalRow.ratio)}, limit ${ratioMax}
Memory of the API: ${formatNumber(idleMb, 0)} MB before, ${formatNumber(growthMb, 0)} MB more at the peak, limit ${growthMbMax}
Reads without a 200: ${failures} of ${readings.length}, limit 0
${withinLimits ? 'Passed.' : 'FAILED.'}\n`);
  return withinLimits;
}
