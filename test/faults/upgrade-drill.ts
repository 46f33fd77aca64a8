import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { localEnvironment } from '../../dev/stack/local-secrets';
import { runDeployment } from '../../worker/deployment/deployment.cli';
import { buildIdOf } from '../../worker/deployment/versions';
import { builtBundle } from '../../worker/bundle';
import { ChaosScenario } from './chaos-scenario';
import { ChaosWorld } from './chaos-world';
import { MoreWorkers, NewerRelease } from './newer-release';
import { finishTransaction, openKinds, openTransaction, type OpenTransaction } from './waiting-transactions';
import { confirmationRotation } from './random-kills';

export interface UpgradePlan {
  /** Open transactions, of all kinds, that every change of the version moves. */
  open: number;
}

/** Workers of each release. */
const workersOfRelease = 3;
/** Callers that create, ask and answer while versions change. */
const trafficLanes = 3;
/** Parallel callers that open and finish transactions. */
const lanes = 6;

/** What one change of the version did. */
interface Phase {
  name: string;
  seconds: number;
  moved: string;
  finished: number;
}

/** Runs `work` for all items, some at the same time, and shows the progress. */
async function forAll<Item>(
  output: NodeJS.WriteStream,
  name: string,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items];
  let done = 0;
  let shownAt = 0;
  const show = () => {
    if (done < items.length && Date.now() - shownAt < (output.isTTY ? 200 : 5_000)) return;
    shownAt = Date.now();
    output.write(
      `${output.isTTY ? '\r' : ''}${name}: ${done}/${items.length}${output.isTTY && done < items.length ? '' : '\n'}`,
    );
  };
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) {
        await work(item);
        done += 1;
        show();
      }
    }),
  );
}

/** Upgrades, rolls back, and ramps the workers of a stack under traffic. */
class UpgradeDrill {
  readonly olderId = buildIdOf(builtBundle.codePath);
  readonly newer: NewerRelease;
  /** Workers of the older release beside the one of the stack. */
  readonly #moreOlder: MoreWorkers;
  readonly #failures: string[] = [];
  readonly #phases: Phase[] = [];
  readonly #traffic: ChaosScenario[] = [];
  readonly #open: OpenTransaction[] = [];

  constructor(
    readonly world: ChaosWorld,
    private readonly output: NodeJS.WriteStream,
  ) {
    const print = (line: string) => void output.write(`${line}\n`);
    this.newer = new NewerRelease(world.stack, join(world.folder, 'newer'), print);
    this.#moreOlder = new MoreWorkers(world.stack, join(world.folder, 'older'), print);
  }

  async startOlder(): Promise<void> {
    await Promise.all([this.world.stack.start('worker'), this.#moreOlder.start(workersOfRelease - 1)]);
  }

  async stopOlder(): Promise<void> {
    await Promise.all([this.world.stack.stop('worker'), this.#moreOlder.stop()]);
  }

  async end(): Promise<void> {
    await Promise.all([this.newer.end(), this.#moreOlder.stop()]);
  }

  /** Runs `npm run deployment`, and returns its output. */
  async deployment(...args: string[]): Promise<string> {
    let text = '';
    const write = (part: string | Uint8Array) => {
      text += String(part);
      return true;
    };
    const environment = () => ({ ...process.env, ...localEnvironment(this.world.stack.dataDir) });
    const code = await runDeployment(args, { environment, stdout: { write }, stderr: { write } });
    if (code !== 0) this.#failures.push(`deployment ${args.join(' ')}: ${text.trim()}`);
    return text;
  }

  /** Changes the version, and finishes a share of the open transactions on the new one. */
  async phase(name: string, share: number, change: () => Promise<string>): Promise<void> {
    this.output.write(`${name} …\n`);
    const startedAt = performance.now();
    const text = await change();
    const seconds = (performance.now() - startedAt) / 1_000;
    // The last line about a version ends with this sentence. The lines before it show the progress.
    const moved = [
      ...text.matchAll(/: (\d+ of \d+) open workflows moved to \w+(?: \((\d+) terminated[^)]*\))?\. Its workers/g),
    ];
    const finishing = this.#open.splice(0, Math.ceil(this.#open.length * share));
    await forAll(this.output, `  finished after ${name}`, finishing, (one) =>
      this.#try(`${one.kind} ${one.id}`, async () => finishTransaction(this.world, one)),
    );
    this.#phases.push({
      name,
      seconds,
      moved: moved
        .map(([, count, terminated]) => `${count}${terminated ? `, ${terminated} terminated` : ''}`)
        .join('; '),
      finished: finishing.length,
    });
  }

  async open(count: number): Promise<void> {
    await forAll(this.output, '  open', [...new Array(count).keys()], (index) => {
      const kind = openKinds[index % openKinds.length] ?? 'nothing';
      return this.#try(`${kind} ${index}`, async () => void this.#open.push(await openTransaction(this.world, kind)));
    });
  }

  async #try(name: string, work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => {
      this.#failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    });
  }

  /** Persons who confirm themselves. Returns a function that stops them. */
  startTraffic(): () => Promise<void> {
    const stopping = new AbortController();
    const run = Array.from({ length: trafficLanes }, async () => {
      while (!stopping.signal.aborted) {
        const confirmation = confirmationRotation[this.#traffic.length % confirmationRotation.length] ?? 'sms-token';
        const scenario = new ChaosScenario(this.world, { confirmation, answerTime: 'after the response' });
        this.#traffic.push(scenario);
        await scenario.run();
      }
    });
    return async () => {
      stopping.abort();
      await Promise.all(run);
    };
  }

  /** Waits until no workflow of the older version is open, and the newer one is active. */
  async waitUntilMoved(): Promise<void> {
    const isMoved = async () => {
      const status = await this.deployment('status');
      return (
        new RegExp(`^${this.newer.buildId} +active`, 'm').test(status) &&
        new RegExp(`^${this.olderId} +\\w+ +\\d+ +0 `, 'm').test(status)
      );
    };
    for (const deadline = Date.now() + 180_000; !(await isMoved()); await sleep(1_000))
      if (Date.now() > deadline) throw new Error('The workflows did not move within 3 minutes.');
  }

  /** Prints the results. Returns whether they are good. */
  async report(): Promise<boolean> {
    const failedTasks = await this.world.countFailedTasks();
    const counts = new Map<string, number>();
    for (const { to } of await this.world.person.readMessages()) counts.set(to, (counts.get(to) ?? 0) + 1);
    const doubled = [...counts.values()].filter((count) => count > 1).length;
    for (const { failure, transactionId } of this.#traffic)
      if (failure !== undefined) this.#failures.push(`${transactionId}: ${failure}`);
    const lines = [
      '',
      ...this.#phases.map(
        ({ name, seconds, moved, finished }) =>
          `${name.padEnd(22)} ${seconds.toFixed(1).padStart(6)} s   moved ${moved || '-'}   finished after it: ${finished}`,
      ),
      '',
      `persons beside the changes: ${this.#traffic.length}`,
      `failed: ${this.#failures.length}`,
      `doubled messages: ${doubled}`,
      `failed workflow tasks: ${[...failedTasks].map(([cause, count]) => `${count} ${cause}`).join(', ') || 0}`,
      `repeated requests: ${this.world.caller.repeatCount}`,
      ...this.#failures.slice(0, 20).map((failure) => `  ${failure.slice(0, 200)}`),
    ];
    this.output.write(`${lines.join('\n')}\n`);
    return this.#failures.length + doubled + failedTasks.size === 0;
  }
}

/** Upgrades, rolls back and ramps with `npm run deployment`. */
async function runCommands(drill: UpgradeDrill, open: number): Promise<void> {
  const { newer } = drill;
  await drill.startOlder();
  await drill.deployment('activate', drill.olderId);
  await drill.open(open);
  const stopTraffic = drill.startTraffic();
  await drill.phase('upgrade', 1 / 3, async () => {
    await newer.workers.start(workersOfRelease);
    const text = (await drill.deployment('activate', newer.buildId)) + (await drill.deployment('drain'));
    await drill.stopOlder();
    return text;
  });
  await drill.phase('rollback', 1 / 2, async () => {
    await drill.startOlder();
    const text = await drill.deployment('rollback');
    await newer.workers.stop();
    return text;
  });
  await drill.phase('ramp, then upgrade', 1, async () => {
    await newer.workers.start(workersOfRelease);
    await drill.deployment('ramp', newer.buildId, '--percent', '50');
    await drill.open(Math.ceil(open / 10));
    return (await drill.deployment('activate', newer.buildId)) + (await drill.deployment('drain'));
  });
  await stopTraffic();
}

/** Replaces the only worker, as docker compose does. The new one moves all workflows by itself. */
async function runReplacement(drill: UpgradeDrill, open: number): Promise<void> {
  await drill.open(open);
  const stopTraffic = drill.startTraffic();
  await drill.phase('only worker replaced', 1, async () => {
    await drill.world.stack.stop('worker');
    await drill.newer.workers.start(1);
    await drill.waitUntilMoved();
    return '';
  });
  await stopTraffic();
}

/**
 * Upgrades, rolls back and ramps workers with changed workflow code under traffic, while transactions of every kind are open. Returns
 * whether nothing failed, was lost or was doubled.
 */
export async function runUpgrades({ open }: UpgradePlan, output: NodeJS.WriteStream): Promise<boolean> {
  const results = [
    await runDrill(output, 'manual', (drill) => runCommands(drill, open)),
    await runDrill(output, 'auto', (drill) => runReplacement(drill, Math.ceil(open / 5))),
  ];
  return results.every((isGood) => isGood);
}

async function runDrill(
  output: NodeJS.WriteStream,
  activation: 'manual' | 'auto',
  run: (drill: UpgradeDrill) => Promise<void>,
): Promise<boolean> {
  output.write(`\nStarting a stack with WORKER_ACTIVATION=${activation} …\n`);
  const world = await ChaosWorld.start({ WORKER_ACTIVATION: activation });
  const drill = new UpgradeDrill(world, output);
  let isGood = false;
  try {
    await run(drill);
    isGood = await drill.report();
    return isGood;
  } finally {
    await drill.end();
    await world.end({ keepFolder: !isGood });
    if (!isGood) output.write(`The logs of this stack are kept in ${world.folder}\n`);
  }
}
