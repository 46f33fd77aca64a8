import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { boundsOf } from '../../../domain/flows/bounds';
import type { FlowDefinition } from '../../../domain/flows/definition';
import type { FlowRun } from '../../../domain/flows/run';
import { inSample } from '../sample';
import { type TestTransaction, World } from '../world';
import type { Person } from './any-person';
import { Cast } from './cast';
import { ClockStandsStill, skippingClock } from './clock';
import { playRun } from './play-run';

/** Servers at once, each with a clock of its own and one run at a time. */
const servers = inSample(1, 3);
/** Most runs take half a second; one that waits for a provider that stays away, up to a minute on a busy machine. */
const runMs = 180_000;
/** A task under way for that long on the wall is lost: ours take milliseconds, and some tenths on a busy machine. */
const lookMs = 10_000;
const dayMs = 86_400_000;

export interface Scene {
  flow: FlowDefinition;
  person: Person;
}

export interface Ended extends Scene {
  run: FlowRun;
  sends: number;
}

/**
 * Resolves for what the server that skips time lost: a timer fired while the task that cancels it was under way, and that
 * task is neither completed nor given out again (temporalio/sdk-java#3088). No code of ours leaves such a history.
 */
async function whenTaskIsLost(transaction: TestTransaction, signal: AbortSignal): Promise<'lost'> {
  for (let before = -1; ; ) {
    await pause(lookMs, undefined, { signal });
    const { events } = await transaction.history();
    if (events?.length === before && events.at(-1)?.workflowTaskStartedEventAttributes) return 'lost';
    before = events?.length ?? -1;
  }
}

async function play(world: World, cast: Cast, { flow, person }: Scene): Promise<Ended | 'lost'> {
  const clock = skippingClock(world);
  const transaction = await cast.enter(person);
  const playing = async (): Promise<Ended> => {
    const { runId } = await transaction.startFlow(flow);
    const giveUpAtMs = (await clock.now()) + boundsOf(flow).seconds * 1_000 + dayMs;
    const run = await playRun(transaction, runId, person, clock, giveUpAtMs);
    return { flow, person, run, sends: transaction.messages().length };
  };
  const over = new AbortController();
  // Each call of a run listens for it.
  setMaxListeners(0, over.signal);
  const late = pause(runMs, 'late' as const, { signal: over.signal });
  try {
    // Calls that never come back must not outlive the connection.
    const played = world.env.connection.withAbortSignal(over.signal, playing);
    const came = await Promise.race([played, whenTaskIsLost(transaction, over.signal), late]);
    if (came === 'late') throw new Error(`not over after ${runMs} ms: ${JSON.stringify({ flow, person })}`);
    return came;
  } catch (error) {
    if (error instanceof ClockStandsStill) return 'lost';
    throw error;
  } finally {
    over.abort();
  }
}

/** What became of scenes; `lost` are those that the server lost. */
export interface Played {
  ended: Ended[];
  lost: Scene[];
}

/** Plays scenes on a server of their own until one is lost: the clock of that server stands still. */
async function playOn(left: Scene[], played: Played): Promise<void> {
  const world = await World.open();
  try {
    const cast = new Cast(world);
    for (let scene = left.shift(); scene; scene = left.shift()) {
      const one = await play(world, cast, scene);
      if (one === 'lost') {
        played.lost.push(scene);
        return;
      }
      played.ended.push(one);
    }
  } finally {
    await world.close();
  }
}

/** Plays every scene to its end, in any order, on servers that skip time. */
export async function playAll(scenes: readonly Scene[]): Promise<Played> {
  const left = [...scenes];
  const played: Played = { ended: [], lost: [] };
  const playLeft = async () => {
    while (left.length > 0) await playOn(left, played);
  };
  await Promise.all(Array.from({ length: servers }, playLeft));
  return played;
}
