import { startProgressBar } from './progress';

/** Rounds that are not measured: they open connections, fill caches and compile code. */
const warmUp = 2;

/**
 * Runs two measurements in turns, `rounds` times: of one side (`now`), and of the side to compare with (`before`). The side that comes
 * first alternates. Returns the results after the warm-up.
 */
export async function runInTurns<Result>(
  { rounds, output, name }: { rounds: number; output: NodeJS.WriteStream; name: string },
  measureNow: () => Promise<Result>,
  measureBefore: () => Promise<Result>,
): Promise<{ now: Result; before: Result }[]> {
  const results: { now: Result; before: Result }[] = [];
  const updateProgress = startProgressBar(output, name, rounds);
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const pair: Partial<{ now: Result; before: Result }> = {};
    const runNow = async () => void (pair.now = await measureNow());
    const runBefore = async () => void (pair.before = await measureBefore());
    for (const run of round % 2 === 0 ? [runNow, runBefore] : [runBefore, runNow]) await run();
    if (round >= warmUp) results.push(pair as { now: Result; before: Result });
    updateProgress(Math.max(0, round + 1 - warmUp));
  }
  return results;
}
