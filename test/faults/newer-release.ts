import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../../dev/stack/free-port';
import { loadLocalSecrets } from '../../dev/stack/local-secrets';
import { nodeComponents } from '../../dev/stack/node-components';
import type { Stack } from '../../dev/stack/stack';
import { SupervisedProcess } from '../../dev/stack/supervised-process';
import { buildIdOf } from '../../worker/deployment/versions';
import { changedCode } from '../support/changed-code';

/** The folders of the build that a worker needs. */
const workerFolders = [
  ...['activities', 'domain', 'flows', 'images', 'messages', 'platform', 'scoring', 'store', 'worker', 'workflows'],
];

/** More workers beside the one of a stack. `script`: the program of another release. */
export class MoreWorkers {
  readonly #running: SupervisedProcess[] = [];

  constructor(
    private readonly stack: Stack,
    private readonly logFolder: string,
    private readonly print: (line: string) => void,
    private readonly script?: string,
  ) {}

  /** Resolves when all are ready. */
  async start(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, (_, index) => this.#startOne(join(this.logFolder, String(index)))));
  }

  async #startOne(folder: string): Promise<void> {
    const { settings, dataDir } = this.stack;
    const worker = nodeComponents(
      { ...settings, ...(this.script && { scripts: { worker: this.script } }) },
      loadLocalSecrets(dataDir),
      { smtp: settings.ports.smtp ?? 0, workerHealth: await findFreePort() },
    ).find(({ name }) => name === 'worker');
    if (!worker) throw new Error('The stack has no worker.');
    for (const name of ['run', 'log']) mkdirSync(join(folder, name), { recursive: true });
    const running = new SupervisedProcess(worker, folder, this.print);
    this.#running.push(running);
    await running.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running.splice(0).map((worker) => worker.stop()));
  }
}

/** A later release, with changed workflow code, whose workers can run beside those of a stack. */
export class NewerRelease {
  readonly buildId: string;
  readonly workers: MoreWorkers;
  readonly #folder: string;

  /** Builds the release. `logFolder`: for the logs of its workers. */
  constructor(stack: Stack, logFolder: string, print: (line: string) => void) {
    this.#folder = join(stack.settings.root, '.cache', `newer-${process.pid}`);
    for (const name of workerFolders)
      cpSync(join(stack.settings.root, 'dist', name), join(this.#folder, name), { recursive: true });
    const bundle = join(this.#folder, 'workflow-bundle.js');
    writeFileSync(bundle, changedCode());
    this.buildId = buildIdOf(bundle);
    this.workers = new MoreWorkers(stack, logFolder, print, join(this.#folder, 'worker', 'main.js'));
  }

  async end(): Promise<void> {
    await this.workers.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
