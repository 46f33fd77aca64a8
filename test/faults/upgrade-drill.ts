import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunView } from '../../domain/flows/view-run';
import { findFreePort } from '../../dev/stack/free-port';
import { loadLocalSecrets, localEnvironment } from '../../dev/stack/local-secrets';
import { nodeComponents } from '../../dev/stack/node-components';
import { SupervisedProcess } from '../../dev/stack/supervised-process';
import { runDeployment } from '../../worker/deployment/deployment.cli';
import { buildIdOf } from '../../worker/deployment/versions';
import { builtBundle } from '../../worker/bundle';
import { changedCode } from '../support/changed-code';
import { ChaosScenario } from './chaos-scenario';
import { ChaosWorld } from './chaos-world';
import { readCode } from './inbox-person';
import { expectStatus } from './retrying-caller';
import { confirmationRotation } from './random-kills';

export interface UpgradePlan {
  /** Open transactions, of all kinds, that every change of the version moves. */
  open: number;
}

/** The kinds of open transactions. */
const kinds = ['a code', 'a code after a wrong one', 'a question', 'a flow run', 'a link', 'nothing'] as const;
type Kind = (typeof kinds)[number];

/** Callers that create, ask and answer while versions change. */
const trafficLanes = 3;
/** Parallel callers that open and finish transactions. */
const lanes = 6;

/** A transaction that is open while the version changes. */
interface OpenTransaction {
  kind: Kind;
  id: string;
  phone: string;
  code: string;
  runId: string;
}

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
  readonly #failures: string[] = [];
  readonly #phases: Phase[] = [];
  readonly #traffic: ChaosScenario[] = [];
  readonly #open: OpenTransaction[] = [];
  readonly #versions = { older: buildIdOf(builtBundle.codePath), newer: '' };
  #newerWorker: SupervisedProcess | undefined;
  readonly #folder: string;

  constructor(
    private readonly world: ChaosWorld,
    private readonly output: NodeJS.WriteStream,
  ) {
    this.#folder = join(world.stack.settings.root, '.cache', `newer-${process.pid}`);
  }

  /** Builds the later release: the same code, with the changed workflows. */
  prepare(): void {
    const dist = join(this.world.stack.settings.root, 'dist');
    mkdirSync(this.#folder, { recursive: true });
    for (const part of [
      'activities',
      'domain',
      'flows',
      'images',
      'messages',
      'platform',
      'store',
      'worker',
      'workflows',
    ])
      cpSync(join(dist, part), join(this.#folder, part), { recursive: true });
    const bundle = join(this.#folder, 'workflow-bundle.js');
    writeFileSync(bundle, changedCode());
    this.#versions.newer = buildIdOf(bundle);
  }

  async end(): Promise<void> {
    await this.#newerWorker?.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async startNewerWorker(): Promise<void> {
    const { settings, dataDir } = this.world.stack;
    const component = nodeComponents(
      { ...settings, scripts: { worker: join(this.#folder, 'worker', 'main.js') } },
      loadLocalSecrets(dataDir),
      { smtp: settings.ports.smtp ?? 0, workerHealth: await findFreePort() },
    ).find(({ name }) => name === 'worker');
    if (!component) throw new Error('The stack has no worker.');
    const logDir = join(this.world.folder, 'newer');
    mkdirSync(join(logDir, 'run'), { recursive: true });
    mkdirSync(join(logDir, 'log'), { recursive: true });
    this.#newerWorker = new SupervisedProcess(component, logDir, (line) => void this.output.write(`${line}\n`));
    await this.#newerWorker.start();
  }

  async stopNewerWorker(): Promise<void> {
    await this.#newerWorker?.stop();
    this.#newerWorker = undefined;
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
    await forAll(this.output, `  finished after ${name}`, finishing, (one) => this.#try(one, () => this.#finish(one)));
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
    await forAll(this.output, '  open', [...new Array(count).keys()], async (index) => {
      const kind = kinds[index % kinds.length] ?? 'nothing';
      const one: OpenTransaction = { kind, id: '', phone: '', code: '', runId: '' };
      await this.#try(one, () => this.#openOne(one));
      this.#open.push(one);
    });
  }

  async #try(one: OpenTransaction, work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => {
      this.#failures.push(`${one.kind} ${one.id}: ${error instanceof Error ? error.message : String(error)}`);
    });
  }

  async #openOne(one: OpenTransaction): Promise<void> {
    const { caller, person } = this.world;
    const { fields, e164 } = this.world.nextPhone();
    const input = { documentType: 'CPF', document: '52998224725', phone: fields };
    const created = expectStatus(201, await caller.post('/v1/transaction', `create-${e164}`, input));
    Object.assign(one, { id: (created.body as { id: string }).id, phone: e164 });
    const path = `/v1/transaction/${one.id}`;
    const ask = async (subject: string) => expectStatus(201, await caller.post(`${path}/${subject}`, `ask-${e164}`));
    if (one.kind === 'nothing') return;
    if (one.kind === 'a link') return void (await ask('biometrics'));
    if (one.kind === 'a question') return void (await ask('whatsapps/2fa'));
    if (one.kind === 'a flow run') one.runId = ((await ask('flows/sms-token')).body as RunView).runId;
    else await ask('sms/tokens');
    one.code = readCode(await person.waitForMessage(e164, 'sms'));
    if (one.kind === 'a code after a wrong one') {
      const value = String((Number(one.code) + 1) % 1_000_000).padStart(6, '0');
      const wrong = await caller.post(`${path}/sms/tokens/validate`, `wrong-${e164}`, { value });
      if ((wrong.body as { status: string }).status !== 'Invalid')
        throw new Error(`a wrong code: ${JSON.stringify(wrong)}`);
    }
  }

  async #finish(one: OpenTransaction): Promise<void> {
    const { caller, person } = this.world;
    const path = `/v1/transaction/${one.id}`;
    const expectField = (body: unknown, field: string, value: string) => {
      if ((body as Record<string, unknown> | undefined)?.[field] !== value)
        throw new Error(`expected ${field} ${value}: ${JSON.stringify(body)}`);
    };
    const all = expectStatus(200, await caller.get(`${path}/all`)).body;
    const { transaction, biometrics } = all as Record<string, unknown>;
    expectField(transaction, 'id', one.id);
    if (one.kind === 'nothing') return;
    if (one.kind === 'a link') return expectField(biometrics, 'status', 'Waiting');
    if (one.kind === 'a question') {
      await person.pressButton(await person.waitForMessage(one.phone, 'whatsapp'), 1);
      for (const deadline = Date.now() + 60_000; ; ) {
        const [reply] = (await caller.get(`${path}/whatsapps/2fa`)).body as { status: string }[];
        if (reply?.status === 'Replied') return;
        if (Date.now() > deadline) return expectField(reply, 'status', 'Replied');
      }
    }
    const answer = (subject: string) => caller.post(`${path}/${subject}`, `answer-${one.phone}`, { value: one.code });
    if (one.kind === 'a flow run') {
      expectStatus(200, await answer(`flows/runs/${one.runId}/answer`));
      return expectField((await caller.get(`${path}/flows/runs/${one.runId}`)).body, 'outcome', 'Confirmed');
    }
    expectField(expectStatus(200, await answer('sms/tokens/validate')).body, 'status', 'Valid');
  }

  get versions(): { older: string; newer: string } {
    return this.#versions;
  }

  /** Persons who confirm themselves until `stop` is called. */
  startTraffic(): { stop: () => Promise<void> } {
    const stopping = new AbortController();
    const run = Array.from({ length: trafficLanes }, async () => {
      while (!stopping.signal.aborted) {
        const confirmation = confirmationRotation[this.#traffic.length % confirmationRotation.length] ?? 'sms-token';
        const scenario = new ChaosScenario(this.world, { confirmation, answerTime: 'after the response' });
        this.#traffic.push(scenario);
        await scenario.run();
      }
    });
    return {
      stop: async () => {
        stopping.abort();
        await Promise.all(run);
      },
    };
  }

  /** Waits until no workflow of the older version is open, and the newer one is active. */
  async waitUntilMoved(): Promise<void> {
    const { older, newer } = this.#versions;
    const isMoved = async () => {
      const status = await this.deployment('status');
      return (
        new RegExp(`^${newer} +active`, 'm').test(status) && new RegExp(`^${older} +\\w+ +\\d+ +0 `, 'm').test(status)
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
async function runCommands(drill: UpgradeDrill, world: ChaosWorld, open: number): Promise<void> {
  const { older, newer } = drill.versions;
  await drill.deployment('activate', older);
  await drill.open(open);
  const traffic = drill.startTraffic();
  await drill.phase('upgrade', 1 / 3, async () => {
    await drill.startNewerWorker();
    const text = (await drill.deployment('activate', newer)) + (await drill.deployment('drain'));
    await world.stack.stop('worker');
    return text;
  });
  await drill.phase('rollback', 1 / 2, async () => {
    await world.stack.start('worker');
    const text = await drill.deployment('rollback');
    await drill.stopNewerWorker();
    return text;
  });
  await drill.phase('ramp, then upgrade', 1, async () => {
    await drill.startNewerWorker();
    await drill.deployment('ramp', newer, '--percent', '50');
    await drill.open(Math.ceil(open / 10));
    return (await drill.deployment('activate', newer)) + (await drill.deployment('drain'));
  });
  await traffic.stop();
}

/** Replaces the only worker, as docker compose does. The new one moves all workflows by itself. */
async function runReplacement(drill: UpgradeDrill, world: ChaosWorld, open: number): Promise<void> {
  await drill.open(open);
  const traffic = drill.startTraffic();
  await drill.phase('only worker replaced', 1, async () => {
    await world.stack.stop('worker');
    await drill.startNewerWorker();
    await drill.waitUntilMoved();
    return '';
  });
  await traffic.stop();
}

/**
 * Upgrades, rolls back and ramps workers with changed workflow code under traffic, while transactions of every kind are open. Returns
 * whether nothing failed, was lost or was doubled.
 */
export async function runUpgrades({ open }: UpgradePlan, output: NodeJS.WriteStream): Promise<boolean> {
  const results = [
    await runDrill(output, 'manual', (drill, world) => runCommands(drill, world, open)),
    await runDrill(output, 'auto', (drill, world) => runReplacement(drill, world, Math.ceil(open / 5))),
  ];
  return results.every((isGood) => isGood);
}

async function runDrill(
  output: NodeJS.WriteStream,
  activation: 'manual' | 'auto',
  run: (drill: UpgradeDrill, world: ChaosWorld) => Promise<void>,
): Promise<boolean> {
  output.write(`\nStarting a stack with WORKER_ACTIVATION=${activation} …\n`);
  const world = await ChaosWorld.start({ WORKER_ACTIVATION: activation });
  const drill = new UpgradeDrill(world, output);
  let isGood = false;
  try {
    drill.prepare();
    await run(drill, world);
    isGood = await drill.report();
    return isGood;
  } finally {
    await drill.end();
    await world.end({ keepFolder: !isGood });
    if (!isGood) output.write(`The logs of this stack are kept in ${world.folder}\n`);
  }
}
