import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMsOf, readCpuTimes } from '../peers/cpu-time';
import { residentMb } from '../report/memory-curve';
import { runInTurns } from '../report/run-in-turns';
import { median, quantile } from '../report/statistics';
import { formatNumber, formatTable } from '../report/table';
import { startSide } from '../versions/sides';
import { endpointNames, endpoints, measureEndpoints, type ScaleSide } from './endpoints';
import { measureLongHistory } from './long-history';
import { openTransactionsOn } from './open-transactions';

/** The options of the bench `scale`. */
export interface ScalePlan {
  /** Open transactions of the stack with which the others are compared. */
  small: number;
  medium: number;
  large: number;
  rounds: number;
  /** Calls of each endpoint in each round. */
  calls: number;
  idleSeconds: number;
  /** How many codes expire within one minute. */
  expiries: number;
}

/** The highest accepted median with `large` open transactions, divided by the median with `small`. */
const medianRatioMax = 1.15;
/** The highest accepted CPU time while nobody calls, in cores, above that of an empty stack. */
const idleCoresMax = 0.02;
/** After this time nothing that the last calls have caused is in progress. */
const settleMs = 10_000;
/** Codes that do not expire during the bench. */
const farAway = () => new Date(Date.now() + 20 * 3_600_000);
/** Workflows open faster than this, so that all are open before the first code expires. */
const msPerStart = 15;
const expiryMs = 60_000;
/** They leave most of the two cores to the codes that expire. */
const callersWhileExpiring = 2;

/** Measures all endpoints, the memory and the idle CPU time with few and with many open transactions. Returns whether the limits hold. */
export async function runScale(plan: ScalePlan, output: NodeJS.WriteStream): Promise<boolean> {
  output.write('Starting two stacks …\n');
  const env = { NODE_ENV: 'production', RATE_LIMIT_PER_SECOND: '100000' };
  const sides: ScaleSide[] = [];
  const open = async () => {
    const side = await startSide(env);
    const opened = { side, open: await openTransactionsOn(side.caller) };
    sides.push(opened);
    return opened;
  };
  try {
    const [few, many] = [await open(), await open()];
    await sleep(settleMs);
    const emptyCores = await idleCores(many, plan.idleSeconds);
    await few.open.add(plan.small, farAway, output);
    const results: boolean[] = [];
    for (const level of [plan.medium, plan.large]) {
      await many.open.add(level - many.open.count, farAway, output);
      await sleep(settleMs);
      const cores = await idleCores(many, plan.idleSeconds);
      const idle = sumOf(cores) - sumOf(emptyCores);
      const passes = await compareEndpoints(few, many, plan, output);
      const byProcess = [...cores].map(([name, used]) => `${name} ${formatNumber(used, 3)}`).join(', ');
      output.write(
        `\nIdle: ${byProcess}; above an empty stack ${formatNumber(idle, 3)} of a core. ${formatMemory(many)}\n\n`,
      );
      results.push(passes && idle <= idleCoresMax);
    }
    await measureLongHistory(many, output);
    await measureExpiry(many, plan, output);
    return results.every(Boolean);
  } finally {
    for (const { side, open: opened } of sides) {
      await opened.close();
      await side.stop();
    }
  }
}

const pidsOf = ({ side }: ScaleSide) =>
  Object.entries(side.pids()).flatMap(([name, pid]) => (pid === undefined ? [] : [[name, pid] as const]));

/** The CPU time of each process of a stack while nobody calls, in cores. */
async function idleCores(side: ScaleSide, seconds: number): Promise<Map<string, number>> {
  const before = readCpuTimes();
  await sleep(seconds * 1_000);
  const after = readCpuTimes();
  return new Map(pidsOf(side).map(([name, pid]) => [name, cpuMsOf(pid, before, after) / 1_000 / seconds]));
}

const sumOf = (cores: ReadonlyMap<string, number>): number => [...cores.values()].reduce((sum, one) => sum + one, 0);

function formatMemory(side: ScaleSide): string {
  const memory = pidsOf(side).map(([name, pid]) => `${name} ${formatNumber(residentMb(pid) ?? Number.NaN, 0)} MB`);
  return `Memory: ${memory.join(', ')}.`;
}

async function compareEndpoints(few: ScaleSide, many: ScaleSide, plan: ScalePlan, output: NodeJS.WriteStream) {
  const { rounds, calls } = plan;
  const name = `${many.open.count.toLocaleString('en')} open`;
  const results = await runInTurns(
    { rounds, output, name },
    () => measureEndpoints(many, calls),
    () => measureEndpoints(few, calls),
  );
  let passes = true;
  const rows = endpointNames.map((endpoint) => {
    const durations = (turn: 'now' | 'before') => results.flatMap((pair) => pair[turn][endpoint].durationsMs);
    const ratio = median(
      results.map(({ now, before }) => median(now[endpoint].durationsMs) / median(before[endpoint].durationsMs)),
    );
    passes &&= ratio <= medianRatioMax;
    const [before, now] = [durations('before'), durations('now')];
    const times = [median(before), median(now), ratio, quantile(before, 0.99), quantile(now, 0.99)];
    return [endpoints[endpoint], ...times.map((ms) => formatNumber(ms))];
  });
  const [fewName, manyName] = [few, many].map(({ open }) => open.count.toLocaleString('en'));
  const header = [
    'ms, open transactions:',
    `${fewName}, p50`,
    `${manyName}, p50`,
    'ratio',
    `${fewName}, p99`,
    `${manyName}, p99`,
  ];
  output.write(`\n${formatTable(header, rows)}\n`);
  output.write(`${passes ? 'passed' : 'FAILED'}  ratio of medians: at most ${medianRatioMax}\n`);
  return passes;
}

/** Lets many codes expire within a minute, while callers create, send and validate. */
async function measureExpiry(many: ScaleSide, { expiries }: ScalePlan, output: NodeJS.WriteStream): Promise<void> {
  const firstMs = Date.now() + expiries * msPerStart + settleMs;
  await many.open.add(expiries, (index) => new Date(firstMs + (index * expiryMs) / expiries), output);
  await sleep(Math.max(0, firstMs - Date.now()));
  const durations = new Map<string, number[]>();
  const timed = async <Result>(name: string, call: Promise<Result>): Promise<Result> => {
    const startedAt = performance.now();
    const result = await call;
    durations.set(name, [...(durations.get(name) ?? []), performance.now() - startedAt]);
    return result;
  };
  const { caller } = many.side;
  const confirm = async () => {
    const transaction = await timed('create', caller.createTransaction());
    await timed('send', caller.requestSmsToken(transaction));
    const code = await caller.readCode(transaction);
    await timed('validate', caller.validateCode(transaction, code));
  };
  const expired = many.open.waitUntilExpired(expiries);
  const ended = new AbortController();
  const end = () => ended.abort();
  void expired.then(end, end);
  // A workflow that waits behind thousands of others can take longer than a caller waits.
  const persons = { confirmed: 0, failed: 0 };
  const confirmInTurn = async () => {
    while (!ended.signal.aborted)
      await confirm().then(
        () => (persons.confirmed += 1),
        () => (persons.failed += 1),
      );
  };
  await Promise.all(Array.from({ length: callersWhileExpiring }, confirmInTurn));
  const lagSeconds = ((await expired).getTime() - firstMs - expiryMs) / 1_000;
  const rows = [...durations].map(([name, ms]) => [
    name,
    ...[0.5, 0.99].map((share) => formatNumber(quantile(ms, share), 0)),
  ]);
  output.write(
    `\n${expiries.toLocaleString('en')} codes expired within ${expiryMs / 1_000} s. The last one was saved ${formatNumber(lagSeconds, 1)} s after its time.\n\n` +
      `${formatTable(['meanwhile, ms', 'p50', 'p99'], rows)}\n` +
      `${callersWhileExpiring} callers confirmed ${persons.confirmed} persons, and ${persons.failed} calls failed.\n`,
  );
}
