import { MemoryCurve } from '../report/memory-curve';
import { saveOutput } from '../report/save-output';
import { startProgressBar } from '../report/progress';
import { sparkline } from '../report/sparkline';
import { formatNumber } from '../report/table';
import { AssessmentMeter } from './assessment-meter';
import { type BenchPostgres, startBenchPostgres } from './bench-postgres';
import { drawLinks } from './draw-links';
import { linksTable, type SideResult } from './links-report';
import { loadGraph } from './load-graph';
import { runRounds, type Side } from './run-rounds';
import { evaluateRounds, findSteadyRounds } from './evaluate-rounds';

/** The options of the bench `links`. */
export interface LinksPlan {
  /** Number of transactions in the small graph. */
  small: number;
  /** Number of transactions in the large graph. */
  large: number;
  rounds: number;
}

/** The seed of both populations. It is constant, so that the results of two runs of the bench can be compared. */
const seed = 20_260_101;
/** How many assessments at the start are not measured, on each graph. They compile code and fill caches. */
const warmUp = 400;
/**
 * Assessments on each graph in a round. The number must be a multiple of `turnLength` in run-rounds.ts, because the two graphs are measured
 * in turns of 20 assessments. A round takes about ten seconds.
 */
const assessmentsPerRound = 600;
/** Pause between measurements of the memory. It is shorter than the time between two garbage collections, which is about one second. */
const sampleEveryMs = 250;

const currentMb = () => process.memoryUsage.rss() / 1_048_576;
let runningPostgres: BenchPostgres | undefined;

/** Stops the Postgres server when the bench is interrupted. */
export const interruptLinks = async (): Promise<void> => runningPostgres?.stop();

/** Creates a database, and loads a graph with `size` transactions. Returns the graph, and the memory of this process during the load. */
async function createSide(postgres: BenchPostgres, name: string, size: number, output: NodeJS.WriteStream) {
  const url = await postgres.createDatabase(name);
  const population = { seed, size };
  const updateProgress = startProgressBar(output, `Loading ${size.toLocaleString('en')}`, size);
  let loadedCount = 0;
  const memory = new MemoryCurve().start(sampleEveryMs, () => loadedCount, currentMb);
  const { insertSeconds, indexSeconds } = await loadGraph(url, population, (count) =>
    updateProgress((loadedCount = count)),
  );
  memory.stop();
  output.write(
    `  rows in ${formatNumber(insertSeconds, 1)} s, indexes, vacuum and checkpoint in ${formatNumber(indexSeconds, 1)} s\n`,
  );
  const side: Side = { name, population, meter: new AssessmentMeter(url) };
  return { side, memory };
}

/**
 * Prints the highest memory of this process, and how much the memory grew. `activity`: what the process did. `warmUpCount`: growth before
 * this number of transactions does not count. `growthUnit`: with 1,000, prints the growth per 1,000 transactions.
 */
function printMemory(
  output: NodeJS.WriteStream,
  activity: string,
  memory: MemoryCurve,
  warmUpCount: number,
  growthUnit: number,
) {
  const growth = `${formatNumber(memory.slopeFrom(warmUpCount) * growthUnit, 1)} MB per ${growthUnit.toLocaleString('en')} after the warm-up`;
  output.write(`\nMemory while ${activity}: at most ${formatNumber(memory.peakMb, 0)} MB, ${growth}\n`);
  output.write(`  ${sparkline(memory.points.map(([, mb]) => mb))}\n`);
}

/** Compares the time per assessment on a small and a large graph. Returns whether all limits hold. */
export async function runLinks(plan: LinksPlan, output: NodeJS.WriteStream): Promise<boolean> {
  const postgres = await startBenchPostgres();
  runningPostgres = postgres;
  try {
    return await measure(plan, postgres, output);
  } finally {
    runningPostgres = undefined;
    await postgres.stop();
  }
}

async function measure(plan: LinksPlan, postgres: BenchPostgres, output: NodeJS.WriteStream): Promise<boolean> {
  const smallSide = await createSide(postgres, 'small', plan.small, output);
  const largeSide = await createSide(postgres, 'large', plan.large, output);
  const sides = [smallSide.side, largeSide.side] as const;
  const total = 2 * (warmUp + plan.rounds * assessmentsPerRound);
  const updateProgress = startProgressBar(output, 'Assessing', total);
  let assessedCount = 0;
  const assessmentMemory = new MemoryCurve().start(sampleEveryMs, () => assessedCount, currentMb);
  const rounds = await runRounds(sides, { rounds: plan.rounds, warmUp, assessmentsPerRound }, (count) =>
    updateProgress((assessedCount = count)),
  );
  assessmentMemory.stop();

  // Only steady rounds are used: rounds in which the machine was not busy with other work.
  const steadyIndexes = findSteadyRounds(rounds[0]);
  const resultOf = async (index: 0 | 1): Promise<SideResult> => ({
    side: sides[index],
    rounds: steadyIndexes.map((round) => rounds[index][round]).filter((round) => round !== undefined),
    databaseMb: await sides[index].meter.readDatabaseMb(),
  });
  const [small, large] = [await resultOf(0), await resultOf(1)];
  await Promise.all(sides.map(({ meter }) => meter.close()));

  const { passed, text } = evaluateRounds(small.rounds, large.rounds, plan.rounds);
  output.write(`\n${linksTable(small, large)}\n`);
  printMemory(output, `loading ${plan.large.toLocaleString('en')}`, largeSide.memory, plan.large / 5, 100_000);
  printMemory(output, 'assessing', assessmentMemory, total / 4, 1_000);
  output.write(`\nChart: ${saveOutput('links.svg', drawLinks(small, large, largeSide.memory))}\n`);
  output.write(`\n${text}\n`);
  return passed;
}
