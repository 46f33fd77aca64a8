import { setTimeout as sleep } from 'node:timers/promises';
import { StandInVerifier } from '../../test/acceptance/support/face-verifier';
import { handIn } from '../../test/support/take-pictures';
import { showProgress } from '../report/progress';
import { quantile } from '../report/statistics';
import { figure, table } from '../report/table';
import { OpenLinks } from '../uploads/open-links';
import { type BenchStack, startBenchStack } from '../worker/bench-stack';
import { submitAllImages } from './take-all-pictures';

export interface StarvationPlan {
  /** Transactions whose images await the face verifier while it hangs. */
  transactions: number;
  /** Messages sent on each stack. */
  sends: number;
}

/** What a hung face verifier may cost a send. */
const ratioMax = 1.2;
/** Before anything counts: connections, caches, compiled code. */
const warmUp = 20;
/** What a new transaction does on its own has been done by then. */
const settleMs = 150;

const sides = ['idle', 'hanging'] as const;
type Side = (typeof sides)[number];

const environment = (verifier: string) => ({
  NODE_ENV: 'production',
  FACE_VERIFIER_URL: verifier,
  // As long as it can be set: the worker gives up last.
  FACE_VERIFIER_TIMEOUT_MS: '60000',
});

/**
 * Measures sends of two stacks in turns, so that other load meets both: the face verifier of one is never asked, that of
 * the other hangs. Answers whether the 99th percentile of the second is at most 1.2 times that of the first.
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
    const send = { idle: await sender(idle), hanging: await sender(hanging) };
    output.write(`${plan.transactions} persons on each take their pictures …\n`);
    await submitAllImages(idle.stack, plan.transactions, async () => undefined);
    await submitAllImages(hanging.stack, plan.transactions, handIn);
    const times: Record<Side, number[]> = { idle: [], hanging: [] };
    const progress = showProgress(output, 'Sent', plan.sends);
    for (let pair = 0; pair < warmUp + plan.sends; pair += 1) {
      // Who goes first alternates.
      for (const side of pair % 2 === 0 ? sides : sides.toReversed()) {
        const ms = await send[side]();
        if (pair >= warmUp) times[side].push(ms);
      }
      progress(Math.max(0, pair + 1 - warmUp));
    }
    if (verifier.received.length === 0) throw new Error('The face verifier was not asked.');
    return report(plan, times, output);
  } finally {
    await Promise.all(stacks.map((bench) => bench.end()));
    await verifier.stop();
  }
}

/** Gives what asks for one code by SMS and tells how long its caller waited. Each goes to a phone of its own. */
async function sender({ stack }: BenchStack): Promise<() => Promise<number>> {
  const links = new OpenLinks(stack, await stack.token());
  let number = 900_000_000;
  return async () => {
    const path = await links.transaction({ phone: { countryCode: 55, areaCode: 11, number: (number += 1) } });
    await sleep(settleMs);
    const begun = performance.now();
    await links.post(`${path}/sms/tokens`);
    return performance.now() - begun;
  };
}

function report(plan: StarvationPlan, { idle, hanging }: Record<Side, number[]>, output: NodeJS.WriteStream): boolean {
  const rows = [0.5, 0.95, 0.99].map((share) => {
    const [before, beside] = [quantile(idle, share), quantile(hanging, share)];
    return [
      share === 0.5 ? 'median, ms' : `p${share * 100}, ms`,
      figure(before, 1),
      figure(beside, 1),
      figure(beside / before),
    ];
  });
  output.write(`\n${table(['a code by SMS', 'idle', 'verifier hangs', 'ratio'], rows)}\n`);
  const ratio = quantile(hanging, 0.99) / quantile(idle, 0.99);
  const holds = ratio <= ratioMax;
  output.write(
    `\np99 of a send while a face verifier hangs on ${plan.transactions} transactions, by that of idle: ${figure(ratio)}, at most ${ratioMax}`,
  );
  output.write(holds ? '. The promise holds.\n' : ': NOT held.\n');
  return holds;
}
