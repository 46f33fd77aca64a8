import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster';
import { type FaultKind, faultKinds } from './faults';
import type { Probes } from './probes';
import type { Random } from './random';

/** One fault that happened. */
export interface FaultRecord {
  kind: string;
  /** When it began, and when the service had recovered from it. */
  from: Date;
  until: Date;
  /** From the heal (for a kill, from the kill) until the probes complete in their normal time. Undefined: it did not recover. */
  recoveryMs: number | undefined;
  /** Requests that callers repeated between `from` and `until`. */
  repeats: number;
}

/** The share of the faults that begin while another one lasts. */
const overlappingShare = 0.2;
const [pauseMinSeconds, pauseMaxSeconds] = [1, 8];
/** The first persons of a round are at different steps after this time. */
const headStartSeconds = 3;
/** The second of two faults begins within this time after the first. */
const overlapWithinSeconds = 10;

/** All faults of a run, in rounds. In a round with two faults, they overlap. Each kind appears once before one is repeated. */
export function planFaults(random: Random, count: number, only: string | undefined): FaultKind[][] {
  const kinds = only === undefined ? faultKinds : faultKinds.filter(({ kind }) => kind === only);
  const order: FaultKind[] = [];
  while (order.length < count) order.push(...random.shuffle(kinds));
  order.length = count;
  const rounds: FaultKind[][] = [];
  for (const fault of order) {
    const round = rounds.at(-1);
    const canOverlap = round?.length === 1 && round[0]?.area !== fault.area;
    if (round && canOverlap && random.next() < overlappingShare) round.push(fault);
    else rounds.push([fault]);
  }
  return rounds;
}

export interface RoundWorld {
  cluster: Cluster;
  probes: Probes;
  random: Random;
  /** Lets some more persons start: a part, from 0 to 1, of those who belong to this round. */
  allowPersons: (part: number) => void;
}

/**
 * Injects the faults of one round, heals them, and waits until the service has recovered. Half of the persons of the round start shortly
 * before the first fault, so that it hits them on their way, and half of them during the fault.
 */
export async function runRound(
  round: readonly FaultKind[],
  { cluster, probes, random, allowPersons }: RoundWorld,
): Promise<FaultRecord[]> {
  await sleep(random.between(pauseMinSeconds, pauseMaxSeconds) * 1_000);
  allowPersons(0.5);
  await sleep(random.between(0, headStartSeconds) * 1_000);
  const from = new Date();
  const repeatsBefore = cluster.caller.repeatCount;
  let healedAt = performance.now();
  const inject = async ({ seconds, inject: begin }: FaultKind, delayMs: number) => {
    await sleep(delayMs);
    const beganAt = performance.now();
    const heal = await begin(cluster, random);
    if (heal) {
      await sleep(seconds * 1_000);
      await heal();
    }
    healedAt = Math.max(healedAt, heal ? performance.now() : beganAt);
  };
  const delays = round.map((_, index) => (index === 0 ? 0 : random.between(0, overlapWithinSeconds) * 1_000));
  const injected = Promise.all(round.map((fault, index) => inject(fault, delays[index] ?? 0)));
  allowPersons(1);
  await injected;
  const recoveryMs = await probes.waitForRecovery(healedAt);
  const repeats = cluster.caller.repeatCount - repeatsBefore;
  return round.map(({ kind }) => ({ kind, from, until: new Date(), recoveryMs, repeats }));
}
