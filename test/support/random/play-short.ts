import { replay } from '../replay';
import { World } from '../world';
import { Cast } from './cast';
import { wallClock } from './clock';
import { hastened } from './hastened';
import type { Ended, Scene } from './play-all';
import { playRun } from './play-run';

/** Everything that takes time in a short flow takes a second or two; loops make some of them long. */
const runMs = 60_000;

/** Plays scenes made short on the real server, all at once, and replays their histories. */
export async function playShort(scenes: readonly Scene[]): Promise<Ended[]> {
  const world = await World.open('real');
  try {
    const cast = new Cast(world);
    const played = await Promise.all(
      scenes.map(hastened).map(async ({ flow, person }) => {
        const transaction = await cast.enter(person);
        const { runId } = await transaction.startFlow(flow);
        const run = await playRun(transaction, runId, person, wallClock, Date.now() + runMs);
        return { transaction, ended: { flow, person, run, sends: transaction.messages().length } };
      }),
    );
    for (const { transaction } of played) await replay(await transaction.history());
    return played.map(({ ended }) => ended);
  } finally {
    await world.close();
  }
}
