import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import type { Stack } from '../../dev/stack/stack';
import { visitsOf } from '../population/population';
import { MemoryCurve, residentMb } from '../report/memory-curve';
import { showProgress } from '../report/progress';
import { median, quantile } from '../report/statistics';
import { figure, table } from '../report/table';
import { startBenchStack } from '../worker/bench-stack';
import { PersonsBrowser } from './persons-browser';

export interface UploadsPlan {
  /** Persons who upload at once. */
  uploads: number;
  megabytes: number;
  rounds: number;
}

/** What the service promises while 20 selfies of 5 MB come in at once. */
const ratioMax = 5;
const growthMbMax = 250;
const seed = 20_260_104;
/** An image is in memory for about half a second. */
const sampleEveryMs = 50;
/** New transactions are assessed and recorded meanwhile. */
const settleMs = 3_000;
/** Some 600 readings. */
const idleMs = 8_000;

interface Reading {
  at: number;
  ms: number;
  status: number;
}

/** From and to, in milliseconds of this machine's clock. */
type Phase = [number, number];

/** A JPEG of 12 megapixels, as from a phone, whose grain brings it near a size. */
async function makePhotograph(megabytes: number): Promise<Buffer> {
  const create = { width: 4_000, height: 3_000, channels: 3 as const, background: '#000000' };
  let [low, high, jpeg] = [0, 120, Buffer.alloc(0)];
  while (high - low > 0.5) {
    const sigma = (low + high) / 2;
    const picture = sharp({ create: { ...create, noise: { type: 'gaussian', mean: 128, sigma } } });
    jpeg = await picture.jpeg({ quality: 90 }).toBuffer();
    [low, high] = jpeg.length > megabytes * 1e6 ? [low, sigma] : [sigma, high];
  }
  return jpeg;
}

async function post(address: string, token: string, body: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  // The API promises an answer within 5 s.
  const signal = AbortSignal.timeout(10_000);
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(body), signal });
  if (!answer.ok) throw new Error(`The API answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

/** Measures reads and the API's memory while persons upload. Answers whether both are as promised. */
export async function runUploads(plan: UploadsPlan, output: NodeJS.WriteStream): Promise<boolean> {
  output.write('Starting a stack …\n');
  const picture = await makePhotograph(plan.megabytes);
  const bench = await startBenchStack({ NODE_ENV: 'production' });
  try {
    return await measure(plan, picture, bench.stack, output);
  } finally {
    await bench.end();
  }
}

async function measure({ uploads, rounds }: UploadsPlan, picture: Buffer, stack: Stack, output: NodeJS.WriteStream) {
  const [token, visits] = [await stack.token(), visitsOf({ seed, size: 1_000_000 })];
  const create = async () => {
    const { value } = visits.next();
    if (!value) throw new Error('There are no more persons.');
    const { id } = await post(`${stack.addresses.api}/v1/transaction`, token, value.transaction.input);
    return `${stack.addresses.api}/v1/transaction/${String(id)}`;
  };
  const openLink = async () => {
    const browser = new PersonsBrowser(String((await post(`${await create()}/biometrics`, token, {}))['url']));
    await browser.begin();
    return browser;
  };
  const during = async (work: () => Promise<unknown>): Promise<Phase> => {
    const begun = Date.now();
    await work();
    return [begun, Date.now()];
  };

  const readings: Reading[] = [];
  // In a session of its own: Linux shares the cores between sessions, and the browsers are in this one.
  const reader = fork(require.resolve('./reading-process.mjs'), [await create(), token], {
    execArgv: [],
    detached: true,
  });
  reader.on('message', (reading: Reading) => readings.push(reading));
  const memory = new MemoryCurve().begin(sampleEveryMs, Date.now, () => residentMb(stack.pids().api ?? 0));
  const progress = showProgress(output, 'Rounds', rounds);
  const phases: { idle: Phase; uploading: Phase }[] = [];
  let busy = 0;
  try {
    while (phases.length < rounds) {
      const browsers: PersonsBrowser[] = [];
      while (browsers.length < uploads) browsers.push(await openLink());
      await sleep(settleMs);
      const idle = await during(() => sleep(idleMs));
      const uploading = await during(() => Promise.all(browsers.map((browser) => browser.upload(picture))));
      phases.push({ idle, uploading });
      busy += browsers.reduce((sum, browser) => sum + browser.busy, 0);
      progress(phases.length);
    }
    // The last readings are on their way.
    await sleep(settleMs);
  } finally {
    memory.end();
    reader.kill();
  }
  output.write(`\nThe API was busy ${busy} times, and browsers came again.\n`);
  return report(phases, readings, memory, output);
}

function report(
  phases: readonly { idle: Phase; uploading: Phase }[],
  readings: readonly Reading[],
  memory: MemoryCurve,
  output: NodeJS.WriteStream,
): boolean {
  const within =
    (windows: readonly Phase[]) =>
    ({ at }: { at: number }) =>
      windows.some(([from, to]) => at >= from && at < to);
  const msIn = (...windows: Phase[]) => readings.filter(within(windows)).map(({ ms }) => ms);
  const row = (name: string, idle: Phase[], uploading: Phase[]) => {
    const [one, other] = [msIn(...idle), msIn(...uploading)];
    const figures = [median(one), quantile(one, 0.99), median(other), quantile(other, 0.99)];
    const ratio = quantile(other, 0.99) / quantile(one, 0.99);
    const seconds = uploading.reduce((sum, [from, to]) => sum + to - from, 0) / 1_000;
    return { ratio, cells: [name, ...figures.map((ms) => figure(ms, 1)), figure(ratio), figure(seconds, 0)] };
  };
  const all = row(
    'all',
    phases.map(({ idle }) => idle),
    phases.map(({ uploading }) => uploading),
  );
  const rows = [...phases.map(({ idle, uploading }, index) => row(String(index + 1), [idle], [uploading])), all];
  const header = ['round', 'idle, median, ms', 'p99', 'uploading, median, ms', 'p99', 'p99 ratio', 'uploads took, s'];
  const [first] = phases;
  const before = median(memory.points.filter(([at]) => first && within([first.idle])({ at })).map(([, mb]) => mb));
  const growthMb = memory.peakMb - before;
  const failures = readings.filter(({ status }) => status !== 200).length;
  const held = all.ratio <= ratioMax && growthMb <= growthMbMax && failures === 0;
  output.write(`\n${table(
    header,
    rows.map(({ cells }) => cells),
  )}\n
p99 of GET /v1/transaction/{id} while uploading, by idle: ${figure(all.ratio)}, at most ${ratioMax}
Memory of the API: ${figure(before, 0)} MB before, ${figure(growthMb, 0)} MB more at its peak, at most ${growthMbMax}
Reads without a 200: ${failures} of ${readings.length}, none allowed
${held ? 'The promises hold.' : 'A promise does NOT hold.'}\n`);
  return held;
}
