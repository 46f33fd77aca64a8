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
  ...['activities', 'domain', 'flows', 'images', 'messages', 'platform', 'store', 'worker', 'workflows'],
];

/** A later release, with changed workflow code, whose worker can run beside the worker of a stack. */
export class NewerRelease {
  readonly buildId: string;
  readonly #folder: string;
  #worker: SupervisedProcess | undefined;

  /** Builds the release. `logFolder`: for the log of its worker. */
  constructor(
    private readonly stack: Stack,
    private readonly logFolder: string,
    private readonly print: (line: string) => void,
  ) {
    this.#folder = join(stack.settings.root, '.cache', `newer-${process.pid}`);
    for (const name of workerFolders)
      cpSync(join(stack.settings.root, 'dist', name), join(this.#folder, name), { recursive: true });
    const bundle = join(this.#folder, 'workflow-bundle.js');
    writeFileSync(bundle, changedCode());
    this.buildId = buildIdOf(bundle);
  }

  /** Resolves when the worker is ready. */
  async startWorker(): Promise<void> {
    const { settings, dataDir } = this.stack;
    const worker = nodeComponents(
      { ...settings, scripts: { worker: join(this.#folder, 'worker', 'main.js') } },
      loadLocalSecrets(dataDir),
      { smtp: settings.ports.smtp ?? 0, workerHealth: await findFreePort() },
    ).find(({ name }) => name === 'worker');
    if (!worker) throw new Error('The stack has no worker.');
    for (const name of ['run', 'log']) mkdirSync(join(this.logFolder, name), { recursive: true });
    this.#worker = new SupervisedProcess(worker, this.logFolder, this.print);
    await this.#worker.start();
  }

  async stopWorker(): Promise<void> {
    await this.#worker?.stop();
    this.#worker = undefined;
  }

  async end(): Promise<void> {
    await this.stopWorker();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
