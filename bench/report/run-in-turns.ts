import { startProgressBar } from './progress';

/** How many rounds at the start are not measured. They open connections, fill caches and compile code. */
const warmUp = 2;

/**
 * Measures two sides in turns, such as two versions of the service. `now` is the side that is judged, and `before` is the side with which
 * it is compared. The side that comes first alternates. Returns one pair of results for each of the `rounds` rounds after the warm-up.
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
