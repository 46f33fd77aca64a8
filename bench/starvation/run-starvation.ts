import { setTimeout as sleep } from 'node:timers/promises';
import { StandInVerifier } from '../../test/acceptance/support/face-verifier';
import { handIn } from '../../test/support/take-pictures';
import { showProgress } from '../report/progress';
import { quantile } from '../report/statistics';
import { figure, table } from '../report/table';
import { OpenLinks } from '../uploads/open-links';
import { startBenchStack } from '../worker/bench-stack';
import { Stalled } from './stalled';

export interface StarvationPlan {
  /** Transactions whose images await the face verifier while it hangs. */
  transactions: number;
  /** Messages sent in each phase. */
  sends: number;
  rounds: number;
}

/** What a hung face verifier may cost a send. */
const ratioMax = 1.2;
/** Before anything counts: connections, caches, compiled code. */
const warmUp = 20;
/** What a new transaction does on its own has been done by then. */
const settleMs = 150;
/** Longer than a pause between the first attempts at one verification: when nothing comes, nothing is left. */
const quietMs = 6_000;

type Phase = 'idle' | 'hanging';
/** Milliseconds of each send. */
type Times = Record<Phase, number[]>;

const environment = (verifier: string) => ({
  NODE_ENV: 'production',
  FACE_VERIFIER_URL: verifier,
  // As long as it can be set: the worker gives up last.
  FACE_VERIFIER_TIMEOUT_MS: '60000',
});

/** Measures sends beside a face verifier that hangs. Answers whether the 99th percentile is at most 1.2 times that of idle. */
export async function runStarvation(plan: StarvationPlan, output: NodeJS.WriteStream): Promise<boolean> {
  output.write('Starting a stack …\n');
  const verifier = new StandInVerifier();
  const bench = await startBenchStack(environment(await verifier.start()));
  try {
    const links = new OpenLinks(bench.stack, await bench.stack.token());
    const send = sender(links);
    const stalled = await Stalled.open(bench.stack);
    for (let left = warmUp; left > 0; left -= 1) await send();
    const rounds: Times[] = [];
    while (rounds.length < plan.rounds) {
      output.write(`Round ${rounds.length + 1}: ${plan.transactions} persons take their pictures …\n`);
      const times = await runRound(plan, rounds.length, { stalled, verifier, send, output });
      rounds.push(times);
      // A run that ends early has said what it saw.
      output.write(`${table(header, rowsOf(times))}\n`);
    }
    await stalled.close();
    return report(plan, rounds, output);
  } finally {
    verifier.release();
    await bench.end();
    await verifier.stop();
  }
}

/** Gives what asks for one code by SMS and tells how long its caller waited. Each goes to a phone of its own. */
function sender(links: OpenLinks): () => Promise<number> {
  let number = 900_000_000;
  return async () => {
    const path = await links.transaction({ phone: { countryCode: 55, areaCode: 11, number: (number += 1) } });
    await sleep(settleMs);
    const begun = performance.now();
    await links.post(`${path}/sms/tokens`);
    return performance.now() - begun;
  };
}

interface Bench {
  stalled: Stalled;
  verifier: StandInVerifier;
  send: () => Promise<number>;
  output: NodeJS.WriteStream;
}

/** One phase of each kind; which is the first alternates. */
async function runRound(plan: StarvationPlan, round: number, bench: Bench): Promise<Times> {
  const { verifier } = bench;
  const handles = await bench.stalled.takePictures(plan.transactions);
  const times: Times = { idle: [], hanging: [] };
  for (const phase of round % 2 === 0 ? (['idle', 'hanging'] as const) : (['hanging', 'idle'] as const)) {
    verifier.hangs = phase === 'hanging';
    if (verifier.hangs) await Promise.all(handles.map(handIn));
    await quiet(verifier);
    const progress = showProgress(bench.output, `Sent (${phase})`, plan.sends);
    while (times[phase].length < plan.sends) {
      times[phase].push(await bench.send());
      progress(times[phase].length);
    }
    verifier.release();
    await quiet(verifier);
  }
  return times;
}

/** Returns once the verifier has not been asked for a while. */
async function quiet(verifier: StandInVerifier): Promise<void> {
  for (let seen = -1; seen !== verifier.received.length; ) {
    seen = verifier.received.length;
    await sleep(quietMs);
  }
}

const header = ['a code by SMS', 'idle', 'verifier hangs', 'ratio'];

function rowsOf({ idle, hanging }: Times): string[][] {
  return ([0.5, 0.95, 0.99] as const).map((share) => {
    const [before, beside] = [quantile(idle, share), quantile(hanging, share)];
    const name = share === 0.5 ? 'median, ms' : `p${share * 100}, ms`;
    return [name, figure(before, 1), figure(beside, 1), figure(beside / before)];
  });
}

function report({ transactions }: StarvationPlan, rounds: readonly Times[], output: NodeJS.WriteStream): boolean {
  const all = { idle: rounds.flatMap(({ idle }) => idle), hanging: rounds.flatMap(({ hanging }) => hanging) };
  output.write(`\nAll rounds:\n${table(header, rowsOf(all))}\n`);
  const ratio = quantile(all.hanging, 0.99) / quantile(all.idle, 0.99);
  const holds = ratio <= ratioMax;
  output.write(
    `\np99 of a send while a face verifier hangs on ${transactions} transactions, by that of idle: ${figure(ratio)}, at most ${ratioMax}`,
  );
  output.write(holds ? '. The promise holds.\n' : ': NOT held.\n');
  return holds;
}
