import { MemoryCurve } from '../report/memory-curve';
import { keepOutput } from '../report/out-folder';
import { showProgress } from '../report/progress';
import { sparkline } from '../report/sparkline';
import { figure } from '../report/table';
import { AssessmentMeter } from './assessment-meter';
import { type BenchPostgres, startBenchPostgres } from './bench-postgres';
import { drawLinks } from './draw-links';
import { linksTable, type SideResult } from './links-report';
import { loadGraph } from './load-graph';
import { runRounds, type Side } from './run-rounds';
import { evaluate, steadyRounds } from './verdict';

export interface LinksPlan {
  small: number;
  large: number;
  rounds: number;
}

/** Any; always the same, so that runs can be compared. */
const seed = 20_260_101;
/** Each side is compiled and its hot pages are in memory after some hundred. */
const warmUp = 400;
/** Thirty times the twenty visits in which each kind has its turns; a round takes some ten seconds. */
const each = 600;
/** Garbage is collected every second or so: a sample now and then would meet any height of the saw. */
const sampleEveryMs = 250;

const ownMb = () => process.memoryUsage.rss() / 1_048_576;
let running: BenchPostgres | undefined;

/** Ends the server of a run that nobody wants to see the end of. */
export const interruptLinks = async (): Promise<void> => running?.stop();

async function makeSide(postgres: BenchPostgres, name: string, size: number, output: NodeJS.WriteStream) {
  const url = await postgres.makeDatabase(name);
  const population = { seed, size };
  const progress = showProgress(output, `Loading ${size.toLocaleString('en')}`, size);
  let done = 0;
  const memory = new MemoryCurve().begin(sampleEveryMs, () => done, ownMb);
  const { insertSeconds, indexSeconds } = await loadGraph(url, population, (count) => progress((done = count)));
  memory.end();
  output.write(
    `  rows in ${figure(insertSeconds, 1)} s, indexes, vacuum and checkpoint in ${figure(indexSeconds, 1)} s\n`,
  );
  const side: Side = { name, population, meter: new AssessmentMeter(url) };
  return { side, memory };
}

function tellMemory(output: NodeJS.WriteStream, what: string, memory: MemoryCurve, warmFrom: number, per: number) {
  const rising = `${figure(memory.slopeFrom(warmFrom) * per, 1)} MB per ${per.toLocaleString('en')} once warm`;
  output.write(`\nMemory while ${what}: at most ${figure(memory.peakMb, 0)} MB, ${rising}\n`);
  output.write(`  ${sparkline(memory.points.map(([, mb]) => mb))}\n`);
}

/** Measures the time per assessment on a small and a large graph. Answers whether the promises of both hold. */
export async function runLinks(plan: LinksPlan, output: NodeJS.WriteStream): Promise<boolean> {
  const postgres = await startBenchPostgres();
  running = postgres;
  try {
    return await measure(plan, postgres, output);
  } finally {
    running = undefined;
    await postgres.stop();
  }
}

async function measure(plan: LinksPlan, postgres: BenchPostgres, output: NodeJS.WriteStream): Promise<boolean> {
  const a = await makeSide(postgres, 'small', plan.small, output);
  const b = await makeSide(postgres, 'large', plan.large, output);
  const sides = [a.side, b.side] as const;
  const all = 2 * (warmUp + plan.rounds * each);
  const progress = showProgress(output, 'Assessing', all);
  let done = 0;
  const assessing = new MemoryCurve().begin(sampleEveryMs, () => done, ownMb);
  const rounds = await runRounds(sides, { rounds: plan.rounds, warmUp, each }, (count) => progress((done = count)));
  assessing.end();

  const steady = steadyRounds(rounds[0]);
  const resultOf = async (index: 0 | 1): Promise<SideResult> => ({
    side: sides[index],
    rounds: steady.map((round) => rounds[index][round]).filter((round) => round !== undefined),
    databaseMb: await sides[index].meter.databaseMb(),
  });
  const [small, large] = [await resultOf(0), await resultOf(1)];
  await Promise.all(sides.map(({ meter }) => meter.end()));

  const { held, text } = evaluate(small.rounds, large.rounds, plan.rounds);
  output.write(`\n${linksTable(small, large)}\n`);
  tellMemory(output, `loading ${plan.large.toLocaleString('en')}`, b.memory, plan.large / 5, 100_000);
  tellMemory(output, 'assessing', assessing, all / 4, 1_000);
  output.write(`\nPicture: ${keepOutput('links.svg', drawLinks(small, large, b.memory))}\n`);
  output.write(`\n${text}\n`);
  return held;
}
