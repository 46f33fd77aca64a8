import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '../../dev/stack/stack';
import { median, quantile } from '../report/statistics';
import { formatNumber, formatTable } from '../report/table';
import { BiometricsCaller } from '../uploads/biometrics-caller';
import { startBenchStack } from '../worker/bench-stack';

/** The options of the bench `connections`. */
export interface ConnectionsPlan {
  /** Hostile connections at the same time. */
  connections: number;
  /** Length of each of the two phases: without the attack, and with it. */
  seconds: number;
}

/** The highest accepted ratio: the p99 (99th percentile) of the read times during the attack, divided by the p99 without the attack. */
const ratioMax = 3;
/** `CONNECTIONS_MAX`, as a share of the hostile connections. It is low enough that the attack reaches all limits of connections. */
const connectionsMaxShare = 0.75;
/**
 * At least this share of the hostile connections must be open. With fewer, there was no real attack. The open connections are counted every
 * second, and the median of these counts is used. If the server closes connections, the share is below 1, because a new connection opens
 * only five seconds later.
 */
const openShareMin = 0.5;
/**
 * Three pauses of this length: until the reading process has started, until all hostile connections are open, and until the last messages
 * have arrived.
 */
const settleMs = 3_000;

/** One read of a transaction, as `reading-process.mjs` reports it. */
interface Reading {
  /** Start of the read, in milliseconds since the epoch. */
  at: number;
  /** Duration of the read. */
  ms: number;
  /** Status of the response; 0 if there was no response. */
  status: number;
}

/**
 * Measures reads of a caller while more hostile connections than the API accepts want to be open: slow headers, slow bodies, slow reads,
 * pipelining, idle connections, and idle connections that become slow. Returns whether the limits hold.
 */
export async function runConnections(plan: ConnectionsPlan, output: NodeJS.WriteStream): Promise<boolean> {
  output.write('Starting a stack …\n');
  // By default, a local stack has no rate limits. This stack has the rate limits of production, with one exception: RATE_LIMIT_PER_SECOND,
  // the limit of requests per client, is very high, because the reading process sends many requests as one client.
  const bench = await startBenchStack({
    NODE_ENV: 'production',
    RATE_LIMIT_PER_SECOND: '100000',
    ADDRESS_RATE_LIMIT_PER_SECOND: '50',
    LOGIN_RATE_LIMIT_PER_MINUTE: '60',
    CONNECTIONS_MAX: String(Math.ceil(plan.connections * connectionsMaxShare)),
  });
  try {
    return await measure(plan, bench.stack, output);
  } finally {
    await bench.stop();
  }
}

/**
 * Starts a program in its own session, a group of processes (`detached`, the system call setsid). Linux divides the CPU equally between
 * sessions, so no program slows the others down.
 */
const startProgram = (file: string, args: string[]): ChildProcess => fork(file, args, { execArgv: [], detached: true });

async function measure({ connections, seconds }: ConnectionsPlan, stack: Stack, output: NodeJS.WriteStream) {
  const caller = new BiometricsCaller(stack, await stack.token());
  const readings: Reading[] = [];
  const openCounts: number[] = [];
  const probes: number[] = [];
  const programs = [
    startProgram(require.resolve('../uploads/reading-process.mjs'), [await caller.createTransaction(), caller.token]),
  ];
  programs[0]?.on('message', (reading: Reading) => readings.push(reading));
  try {
    await sleep(settleMs);
    const idleFrom = Date.now();
    await sleep(seconds * 1_000);
    const attackStart = Date.now();
    const port = new URL(stack.addresses.api).port;
    const attack = startProgram(require.resolve('./hostile-connections.mjs'), [port, String(connections)]);
    programs.push(attack);
    await sleep(settleMs);
    attack.on('message', ({ open, probe }: { open: number; probe: number }) => {
      openCounts.push(open);
      probes.push(probe);
    });
    const attackFrom = Date.now();
    await sleep(seconds * 1_000);
    const attackTo = Date.now();
    await sleep(settleMs);
    return report(
      {
        idle: readings.filter(({ at }) => at >= idleFrom && at < attackStart),
        attack: readings.filter(({ at }) => at >= attackFrom && at < attackTo),
      },
      { open: median(openCounts), connections, probes },
      output,
    );
  } finally {
    for (const program of programs) program.kill();
  }
}

function report(
  { idle, attack }: Record<'idle' | 'attack', Reading[]>,
  { open, connections, probes }: { open: number; connections: number; probes: number[] },
  output: NodeJS.WriteStream,
): boolean {
  const createRow = (name: string, readings: Reading[]) => {
    const ms = readings.map((reading) => reading.ms);
    return [name, String(ms.length), ...[median(ms), quantile(ms, 0.99)].map((value) => formatNumber(value, 1))];
  };
  const p99 = (readings: Reading[]) =>
    quantile(
      readings.map(({ ms }) => ms),
      0.99,
    );
  const ratio = p99(attack) / p99(idle);
  const failures = [...idle, ...attack].filter(({ status }) => status !== 200).length;
  const failedProbes = probes.filter((status) => status !== 200).length;
  const isAttacked = open >= openShareMin * connections && probes.length > 0;
  const passed = ratio <= ratioMax && failures === 0 && failedProbes === 0 && isAttacked;
  const rows = [createRow('idle', idle), createRow('hostile connections', attack)];
  output.write(`\n${formatTable(['GET /v1/transaction/{id}', 'reads', 'median, ms', 'p99, ms'], rows)}\n
Ratio of the p99: ${formatNumber(ratio)}, limit ${ratioMax}
Reads without a 200: ${failures}, limit 0
Probes without a 200: ${failedProbes} of ${probes.length}, limit 0
Hostile connections open, median: ${formatNumber(open, 0)} of ${connections}
${passed ? 'Passed.' : 'FAILED.'}\n`);
  return passed;
}
