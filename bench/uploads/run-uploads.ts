import { giveWay } from '../../platform/give-way';
import { coresOf, keepToOneCore } from '../../platform/keep-to-one-core';
import { MemoryCurve, residentMb } from '../report/memory-curve';
import { keepOutput } from '../report/out-folder';
import { showProgress } from '../report/progress';
import { sparkline } from '../report/sparkline';
import { figure } from '../report/table';
import { type BenchStack, startBenchStack } from '../worker/bench-stack';
import { drawUploads } from './draw-uploads';
import { OpenLinks } from './open-links';
import { makePhotograph, type Photograph } from './photograph';
import { childrenOf, mostResidentMb } from './process-figures';
import { memoryOf } from './round-memory';
import { type Round, runRound } from './run-phases';
import { lowerSessionShare } from './session-share';
import { TransactionReader } from './transaction-reader';
import { latencyTable, uploadsTable } from './uploads-report';
import { evaluate } from './verdict';

export interface UploadsPlan {
  uploads: number;
  megabytes: number;
  rounds: number;
}

/** An image is in memory for half a second or so. */
const sampleEveryMs = 50;
/** Everything but images has been done by then, so that what comes on top is theirs. */
const warmUp = { links: 5, readings: 1_000 };
/** As the image of production sets it (Dockerfile), and no limits of memory that it does not set. */
const production = { NODE_ENV: 'production' };

/** Measures reads and the API's memory while pictures are uploaded. Answers whether both are as promised. */
export async function runUploads(plan: UploadsPlan, output: NodeJS.WriteStream): Promise<boolean> {
  const picture = await makePhotograph(plan.megabytes * 1e6);
  output.write(
    `A photograph of ${picture.width} by ${picture.height} pixels has ${figure(picture.jpeg.length / 1e6)} MB. Starting a stack …\n`,
  );
  const bench = await startBenchStack(production);
  let reader: TransactionReader | undefined;
  let giveShareBack = () => {};
  try {
    const token = await bench.stack.token();
    const links = new OpenLinks(bench.stack, token);
    reader = new TransactionReader(await links.transaction(), token);
    // Real browsers are other machines: these give way to the API and to whoever reads. It stays so: this bench is the last.
    giveWay();
    keepToOneCore(childrenOf(bench.stack.pids().api ?? 0).flatMap(coresOf));
    giveShareBack = lowerSessionShare();
    return await measure(plan, picture, bench, links, reader, output);
  } finally {
    giveShareBack();
    reader?.end();
    await bench.end();
  }
}

async function measure(
  { uploads, rounds: planned }: UploadsPlan,
  { jpeg }: Photograph,
  { stack }: BenchStack,
  links: OpenLinks,
  reader: TransactionReader,
  output: NodeJS.WriteStream,
): Promise<boolean> {
  const apiPid = stack.pids().api;
  if (apiPid === undefined) throw new Error('The API does not run.');
  await links.browsers(warmUp.links);
  await reader.readTimes(warmUp.readings);

  // The API and its intake.
  const sumOf = (figureOf: (pid: number) => number | undefined) =>
    [apiPid, ...childrenOf(apiPid)].reduce((sum, pid) => sum + (figureOf(pid) ?? 0), 0);
  const memory = new MemoryCurve().begin(sampleEveryMs, Date.now, () => sumOf(residentMb));
  const mostBefore = sumOf(mostResidentMb);
  const progress = showProgress(output, 'Rounds', planned);
  const rounds: Round[] = [];
  try {
    while (rounds.length < planned) {
      rounds.push(await runRound({ links, reader, apiPid, uploads, picture: jpeg }));
      progress(rounds.length);
    }
  } finally {
    memory.end();
  }
  if (stack.pids().api !== apiPid) throw new Error('The API was started anew during the run.');
  const memories = rounds.map((round) => memoryOf(memory.points, round.uploads));
  const level = memories[0]?.before ?? Number.NaN;
  const most = sumOf(mostResidentMb);
  // What came and went between two samples, the kernel has seen.
  const peak = Math.max(memory.peakMb, most > mostBefore ? most : 0);

  output.write(`\n${latencyTable(rounds)}\n\n${uploadsTable(rounds, memories, jpeg.length)}\n`);
  output.write(`\nMemory of the API over the run, ${figure(level, 0)} MB before, at most ${figure(peak, 0)} MB:\n`);
  output.write(`  ${sparkline(memory.points.map(([, mb]) => mb))}\n`);
  output.write(`\nPicture: ${keepOutput('uploads.svg', drawUploads(rounds, memory))}\n`);
  const { held, text } = evaluate(rounds, peak - level);
  output.write(`\n${text}\n`);
  return held;
}
