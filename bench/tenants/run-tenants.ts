import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { Stack } from '../../dev/stack/stack';
import { startProgressBar } from '../report/progress';
import { median, quantile } from '../report/statistics';
import { formatNumber, formatTable } from '../report/table';
import { BenchCaller } from '../worker/bench-caller';
import { startBenchStack } from '../worker/bench-stack';
import { HostileTenant } from './hostile-tenant';

/** The options of the bench `tenants`. */
export interface TenantsPlan {
  rounds: number;
  /** Length of each phase: one without the attack, and one with it. */
  seconds: number;
  /** Flow runs that the attack starts in a second. */
  starts: number;
}

/** The highest accepted ratio: the p99 of create and send of another tenant during the attack, divided by the p99 without it. */
const ratioMax = 2;
/**
 * The highest accepted p99 of `GET /health/live` during the attack: a tenth of the usual timeout of a probe. It is no ratio, because
 * without the attack the response takes 2 ms, and each wait for a core multiplies that.
 */
const liveMsMax = 100;
/** Callers of the hostile tenant that check flows. */
const checkers = 3;
/** The pause between two probes, so that the probes themselves are no load. */
const probeEveryMs = 20;
/** Work of the last phase ends within this time. */
const settleMs = 1_000;

const kinds = ['create and send', 'GET /health/live'] as const;
type Times = Record<(typeof kinds)[number], number[]>;

/**
 * Measures what a tenant and a probe notice while another tenant checks flows and starts flow runs that are as expensive as the limits allow.
 * Phases with and without the attack take turns. Returns whether both limits hold and every request succeeded.
 */
export async function runTenants(plan: TenantsPlan, output: NodeJS.WriteStream): Promise<boolean> {
  output.write('Starting a stack …\n');
  const bench = await startBenchStack({ NODE_ENV: 'production' });
  try {
    return await measure(plan, bench.stack, output);
  } finally {
    await bench.stop();
  }
}

async function measure(
  { rounds, seconds, starts }: TenantsPlan,
  stack: Stack,
  output: NodeJS.WriteStream,
): Promise<boolean> {
  const caller = new BenchCaller(stack, await stack.token());
  const hostile = new HostileTenant(stack, await stack.token('other'));
  await hostile.prepare();
  const idle: Times = { 'create and send': [], 'GET /health/live': [] };
  const attacked: Times = { 'create and send': [], 'GET /health/live': [] };
  const failures: string[] = [];
  const warmUp: Times = { 'create and send': [], 'GET /health/live': [] };
  await measurePhase(stack, caller, seconds, warmUp, failures);
  const updateProgress = startProgressBar(output, 'Rounds', rounds);
  for (let round = 0; round < rounds; round += 1) {
    await sleep(settleMs);
    await measurePhase(stack, caller, seconds, idle, failures);
    hostile.start(checkers, starts);
    await measurePhase(stack, caller, seconds, attacked, failures);
    await hostile.stop();
    updateProgress(round + 1);
  }
  const statuses = [...hostile.statuses].map(([status, count]) => `${count} times ${status}`).join(', ');
  output.write(`\nThe hostile tenant got ${statuses}.\n`);
  return report(idle, attacked, failures, output);
}

/** For some seconds, creates transactions and requests codes, and asks at the same time whether the API lives. */
async function measurePhase(stack: Stack, caller: BenchCaller, seconds: number, times: Times, failures: string[]) {
  const endsAt = performance.now() + seconds * 1_000;
  const repeat = async (kind: keyof Times, work: () => Promise<unknown>) => {
    while (performance.now() < endsAt) {
      const startedAt = performance.now();
      await work().catch((error: unknown) => failures.push(`${kind}: ${String(error)}`));
      times[kind].push(performance.now() - startedAt);
      await sleep(probeEveryMs);
    }
  };
  await Promise.all([
    repeat('create and send', async () => caller.requestSmsToken(await caller.createTransaction())),
    repeat('GET /health/live', async () => {
      const { statusCode, body } = await request(`${stack.addresses.api}/health/live`);
      await body.dump();
      if (statusCode !== 200) throw new Error(String(statusCode));
    }),
  ]);
}

function report(idle: Times, attacked: Times, failures: readonly string[], output: NodeJS.WriteStream): boolean {
  const ratios = kinds.map((kind) => quantile(attacked[kind], 0.99) / quantile(idle[kind], 0.99));
  const rows = kinds.map((kind, index) => [
    kind,
    ...[idle, attacked].flatMap((times) =>
      [median(times[kind]), quantile(times[kind], 0.99)].map((ms) => formatNumber(ms, 1)),
    ),
    formatNumber(ratios[index] ?? Number.NaN),
  ]);
  const header = ['another tenant', 'idle, median, ms', 'p99', 'attacked, median, ms', 'p99', 'ratio of the p99'];
  const [sendRatio = Number.NaN] = ratios;
  const liveMs = quantile(attacked['GET /health/live'], 0.99);
  const isWithin = sendRatio <= ratioMax && liveMs <= liveMsMax && failures.length === 0;
  output.write(`\n${formatTable(header, rows)}\n
Ratio of the p99 of create and send during the attack to the p99 without it: limit ${ratioMax}
p99 of GET /health/live during the attack: limit ${liveMsMax} ms
Failed requests of the other tenant: ${failures.length}, limit 0${failures.length > 0 ? ` (first: ${failures[0]})` : ''}
${isWithin ? 'Passed.' : 'FAILED.'}\n`);
  return isWithin;
}
