import { setTimeout as sleep } from 'node:timers/promises';
import { StandInVerifier } from '../../test/acceptance/support/face-verifier';
import { handIn } from '../../test/support/take-pictures';
import { showProgress } from '../report/progress';
import { quantile } from '../report/statistics';
import { figure, table } from '../report/table';
import { LinkCaller } from '../uploads/link-caller';
import { type BenchStack, startBenchStack } from '../worker/bench-stack';
import { takeAllImages } from './take-all-images';

export interface StarvationPlan {
  /** Transactions whose images wait for the hanging face verifier. */
  transactions: number;
  /** Messages sent on each stack. */
  sends: number;
}

/** The highest accepted ratio of sends with a hanging verifier to sends without one. */
const ratioMax = 1.2;
/** Sends that are not measured: they open connections, fill caches and compile code. */
const warmUp = 20;
/** Background work of a new transaction ends within this time. */
const settleMs = 150;

const sides = ['idle', 'hanging'] as const;
type Side = (typeof sides)[number];

const environment = (verifier: string) => ({
  NODE_ENV: 'production',
  FACE_VERIFIER_URL: verifier,
  // The longest possible timeout.
  FACE_VERIFIER_TIMEOUT_MS: '60000',
});

/**
 * Measures sends on two stacks in turns, so that other load affects both. One never calls its face verifier; the verifier of
 * the other hangs. Returns whether the ratio of the 99th percentiles is within the limit.
 */
export async function runStarvation(plan: StarvationPlan, output: NodeJS.WriteStream): Promise<boolean> {
  output.write('Starting two stacks …\n');
  const verifier = new StandInVerifier();
  verifier.hangs = true;
  const address = await verifier.start();
  const stacks: BenchStack[] = [];
  try {
    for (const _ of sides) stacks.push(await startBenchStack(environment(address)));
    const [idle, hanging] = stacks as [BenchStack, BenchStack];
    const send = { idle: await createSender(idle), hanging: await createSender(hanging) };
    output.write(`Taking the images of ${plan.transactions} transactions on each stack …\n`);
    await takeAllImages(idle.stack, plan.transactions, async () => undefined);
    await takeAllImages(hanging.stack, plan.transactions, handIn);
    const times: Record<Side, number[]> = { idle: [], hanging: [] };
    const progress = showProgress(output, 'Sent', plan.sends);
    for (let pair = 0; pair < warmUp + plan.sends; pair += 1) {
      // The first side alternates.
      for (const side of pair % 2 === 0 ? sides : sides.toReversed()) {
        const ms = await send[side]();
        if (pair >= warmUp) times[side].push(ms);
      }
      progress(Math.max(0, pair + 1 - warmUp));
    }
    if (verifier.received.length === 0) throw new Error('The face verifier was not called.');
    return report(plan, times, output);
  } finally {
    await Promise.all(stacks.map((bench) => bench.stop()));
    await verifier.stop();
  }
}

/** Returns a function that requests a code by SMS for a new phone and returns the duration in milliseconds. */
async function createSender({ stack }: BenchStack): Promise<() => Promise<number>> {
  const links = new LinkCaller(stack, await stack.token());
  let number = 900_000_000;
  return async () => {
    const path = await links.createTransaction({ phone: { countryCode: 55, areaCode: 11, number: (number += 1) } });
    await sleep(settleMs);
    const start = performance.now();
    await links.post(`${path}/sms/tokens`);
    return performance.now() - start;
  };
}

function report(plan: StarvationPlan, { idle, hanging }: Record<Side, number[]>, output: NodeJS.WriteStream): boolean {
  const rows = [0.5, 0.95, 0.99].map((share) => {
    const [idleMs, hangingMs] = [quantile(idle, share), quantile(hanging, share)];
    return [
      share === 0.5 ? 'median, ms' : `p${share * 100}, ms`,
      figure(idleMs, 1),
      figure(hangingMs, 1),
      figure(hangingMs / idleMs),
    ];
  });
  output.write(`\n${table(['a code by SMS', 'idle', 'verifier hangs', 'ratio'], rows)}\n`);
  const ratio = quantile(hanging, 0.99) / quantile(idle, 0.99);
  const withinLimit = ratio <= ratioMax;
  output.write(
    `\nRatio of p99 while the face verifier hangs on ${plan.transactions} transactions, to idle: ${figure(ratio)}, limit ${ratioMax}`,
  );
  output.write(withinLimit ? '. Passed.\n' : '. FAILED.\n');
  return withinLimit;
}
