import { setTimeout as sleep } from 'node:timers/promises';
import { FakeFaceVerifier } from '../../test/acceptance/support/face-verifier';
import { submitImages } from '../../test/support/capture-images';
import { startProgressBar } from '../report/progress';
import { quantile } from '../report/statistics';
import { formatNumber, formatTable } from '../report/table';
import { BiometricsCaller } from '../uploads/biometrics-caller';
import { type BenchStack, startBenchStack } from '../worker/bench-stack';
import { spreadPhoneNumber } from '../worker/spread-phone-number';
import { createTransactionsWithImages } from './create-transactions-with-images';

/** The options of the bench `starvation`. */
export interface StarvationPlan {
  /** Transactions whose images wait for the hanging face verifier. */
  transactions: number;
  /** Messages sent on each stack. */
  sends: number;
}

/** The highest accepted ratio: the p99 of sends while the face verifier hangs, divided by the p99 of sends on the other stack. */
const ratioMax = 1.2;
/** How many sends at the start are not measured. They open connections, fill caches and compile code. */
const warmUp = 20;
/** Background work of a new transaction ends within this time. */
const settleMs = 150;

/** The two stacks. `idle`: never calls its face verifier. `hanging`: its face verifier never answers. */
const sides = ['idle', 'hanging'] as const;
type Side = (typeof sides)[number];

const createEnvironment = (verifierUrl: string) => ({
  NODE_ENV: 'production',
  FACE_VERIFIER_URL: verifierUrl,
  // The longest possible timeout.
  FACE_VERIFIER_TIMEOUT_MS: '60000',
});

/**
 * Measures sends on two stacks in turns, so that other work of the machine affects both. One stack never calls its face verifier. The face
 * verifier of the other stack hangs: it never answers. Returns whether the ratio of the 99th percentiles is within the limit.
 */
export async function runStarvation(plan: StarvationPlan, output: NodeJS.WriteStream): Promise<boolean> {
  output.write('Starting two stacks …\n');
  const verifier = new FakeFaceVerifier();
  verifier.isHanging = true;
  const address = await verifier.start();
  const stacks: BenchStack[] = [];
  try {
    for (const _ of sides) stacks.push(await startBenchStack(createEnvironment(address)));
    const [idle, hanging] = stacks as [BenchStack, BenchStack];
    const senders = { idle: await createSender(idle), hanging: await createSender(hanging) };
    output.write(`Taking the images of ${plan.transactions} transactions on each stack …\n`);
    await createTransactionsWithImages(idle.stack, plan.transactions, async () => undefined);
    await createTransactionsWithImages(hanging.stack, plan.transactions, submitImages);
    const times: Record<Side, number[]> = { idle: [], hanging: [] };
    const updateProgress = startProgressBar(output, 'Sent', plan.sends);
    for (let pair = 0; pair < warmUp + plan.sends; pair += 1) {
      // The stack that comes first alternates.
      for (const side of pair % 2 === 0 ? sides : sides.toReversed()) {
        const ms = await senders[side]();
        if (pair >= warmUp) times[side].push(ms);
      }
      updateProgress(Math.max(0, pair + 1 - warmUp));
    }
    if (verifier.receivedRequests.length === 0) throw new Error('The face verifier was not called.');
    return report(plan, times, output);
  } finally {
    await Promise.all(stacks.map((bench) => bench.stop()));
    await verifier.stop();
  }
}

/** Returns a function that measures one send: it requests a code by SMS for a new phone, and returns the duration in milliseconds. */
async function createSender({ stack }: BenchStack): Promise<() => Promise<number>> {
  const caller = new BiometricsCaller(stack, await stack.token());
  let phoneIndex = 0;
  return async () => {
    const phone = { countryCode: 55, areaCode: 11, number: spreadPhoneNumber((phoneIndex += 1)) };
    const path = await caller.createTransaction({ phone });
    await sleep(settleMs);
    const start = performance.now();
    await caller.post(`${path}/sms/tokens`);
    return performance.now() - start;
  };
}

function report(plan: StarvationPlan, { idle, hanging }: Record<Side, number[]>, output: NodeJS.WriteStream): boolean {
  const rows = [0.5, 0.95, 0.99].map((share) => {
    const [idleMs, hangingMs] = [quantile(idle, share), quantile(hanging, share)];
    return [
      share === 0.5 ? 'median, ms' : `p${share * 100}, ms`,
      formatNumber(idleMs, 1),
      formatNumber(hangingMs, 1),
      formatNumber(hangingMs / idleMs),
    ];
  });
  output.write(`\n${formatTable(['a code by SMS', 'other stack', 'verifier hangs', 'ratio'], rows)}\n`);
  const ratio = quantile(hanging, 0.99) / quantile(idle, 0.99);
  const withinLimit = ratio <= ratioMax;
  output.write(
    `\np99 while the face verifier hangs on ${plan.transactions} transactions, divided by the p99 of the other stack: ${formatNumber(ratio)}, limit ${ratioMax}`,
  );
  output.write(withinLimit ? '. Passed.\n' : '. FAILED.\n');
  return withinLimit;
}
