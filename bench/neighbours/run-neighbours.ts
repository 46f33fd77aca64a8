import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Stack } from '../../dev/stack/stack';
import { startProgressBar } from '../report/progress';
import { median, quantile } from '../report/statistics';
import { formatNumber, formatTable } from '../report/table';
import { BiometricsCaller } from '../uploads/biometrics-caller';
import { startBenchStack } from '../worker/bench-stack';
import { actions, createSelfie, measureOnce, newPhone, noTimes, type Times } from './victim';

/** The options of the bench `neighbours`. */
export interface NeighboursPlan {
  rounds: number;
  /** How often the other tenant does everything in each phase of a round. */
  times: number;
}

/** The highest accepted ratio of each action: the p99 of another tenant during the attack, divided by its p99 without the attack. */
const ratioMax = 2;
/** Two slow chunks for each link: the most that the API takes of one link. */
const [slowLinks, chunksPerLink] = [20, 2];
/** The most that the API accepts of one client. */
const streams = 1_000;
const idleConnections = 700;
/** The transactions of the streams, at most 100 streams for each. */
const streamedTransactions = 10;
/** The document whose transactions the attacker exports, and the largest fields that a transaction can have. */
const exported = { documentType: 'CPF', document: '11144477735' };
const exportedTransactions = 100;
const largeFields = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`field${index}`, '€'.repeat(512)]));
/** At least this share of the connections must be open. With fewer, there was no real attack. */
const openShareMin = 0.9;

/** Measures what a tenant notices while another tenant attacks. Returns whether the limits hold. */
export async function runNeighbours(plan: NeighboursPlan, output: NodeJS.WriteStream): Promise<boolean> {
  output.write('Starting a stack …\n');
  const bench = await startBenchStack({ NODE_ENV: 'production' });
  try {
    return await measure(plan, bench.stack, output);
  } finally {
    await bench.stop();
  }
}

/** Starts the attacking tenant, which waits for its first command. */
async function startAttacker(stack: Stack): Promise<{ program: ChildProcess; connections: number }> {
  const caller = new BiometricsCaller(stack, await stack.token());
  const transactions: string[] = [];
  while (transactions.length < streamedTransactions)
    transactions.push(new URL(await caller.createTransaction({ phone: newPhone() })).pathname);
  for (let count = 0; count < exportedTransactions; count += 1)
    await caller.createTransaction({ ...exported, phone: newPhone(), genericFields: largeFields });
  const chunks = [];
  for (const page of await caller.openPages(slowLinks)) {
    const path = new URL(page.pageUrl).pathname + (await page.startUpload(100_000));
    for (let chunk = 0; chunk < chunksPerLink; chunk += 1) chunks.push({ path, cookie: page.cookie });
  }
  const port = Number(new URL(stack.addresses.api).port);
  const plan = { port, token: caller.token, transactions, streams, idle: idleConnections, chunks, exported };
  const script = require.resolve('./attacking-tenant.mjs');
  // `detached` (the system call setsid): its own session, a group of processes. Linux divides the CPU equally between sessions.
  const program = fork(script, [JSON.stringify(plan)], { execArgv: [], detached: true });
  return { program, connections: chunks.length + streams + idleConnections };
}

async function measure({ rounds, times }: NeighboursPlan, stack: Stack, output: NodeJS.WriteStream): Promise<boolean> {
  const { program, connections } = await startAttacker(stack);
  const openCounts: number[] = [];
  let isAttacking = false;
  const setAttack = async (attack: boolean) => {
    if (attack === isAttacking) return;
    isAttacking = attack;
    const answer = once(program, 'message') as Promise<[{ open: number }]>;
    program.send({ attack });
    const [{ open }] = await answer;
    if (attack) openCounts.push(open);
  };
  const selfie = await createSelfie();
  const caller = new BiometricsCaller(stack, await stack.token('other'));
  const results = { idle: noTimes(), attack: noTimes() };
  const updateProgress = startProgressBar(output, 'Rounds', rounds);
  try {
    // The first requests open connections, fill caches and compile code.
    for (let count = 0; count < 5; count += 1) await measureOnce(caller, selfie, noTimes());
    for (let round = 0; round < rounds; round += 1) {
      for (const phase of round % 2 === 0 ? (['idle', 'attack'] as const) : (['attack', 'idle'] as const)) {
        await setAttack(phase === 'attack');
        for (let count = 0; count < times; count += 1) await measureOnce(caller, selfie, results[phase]);
      }
      updateProgress(round + 1);
    }
  } finally {
    program.kill();
  }
  return report(results, { open: median(openCounts), connections }, output);
}

function report(
  { idle, attack }: Record<'idle' | 'attack', Times>,
  { open, connections }: { open: number; connections: number },
  output: NodeJS.WriteStream,
): boolean {
  const rows = actions.map((action) => {
    const [idleP99, attackP99] = [quantile(idle[action], 0.99), quantile(attack[action], 0.99)];
    const medians = [median(idle[action]), median(attack[action])];
    return { action, ratio: attackP99 / idleP99, values: [...medians, idleP99, attackP99] };
  });
  const passed = rows.every(({ ratio }) => ratio <= ratioMax) && open >= openShareMin * connections;
  const header = [
    'another tenant',
    'median idle, ms',
    'median attack, ms',
    'p99 idle, ms',
    'p99 attack, ms',
    'ratio of the p99',
  ];
  const cells = rows.map(({ action, ratio, values }) => [
    action,
    ...values.map((value) => formatNumber(value, 1)),
    formatNumber(ratio),
  ]);
  output.write(`\n${formatTable(header, cells)}\n
Limit of each ratio: ${ratioMax}
Connections of the attacker, median: ${formatNumber(open, 0)} of ${connections}
${passed ? 'Passed.' : 'FAILED.'}\n`);
  return passed;
}
