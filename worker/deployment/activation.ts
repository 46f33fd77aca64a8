import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../platform/logger';
import { errorName } from '../../platform/postgres/postgres';
import { drain, type DrainDependencies } from './drain';
import {
  type Deployment,
  mayHaveWorkflows,
  openWorkflowsQuery,
  type VersionInfo,
  type VersionStatus,
  versionText,
  type WorkerVersion,
} from './versions';

/** How often a worker of the active version looks for open workflows of other versions. */
const checkEveryMs = 15_000;
/** The pause before the next try, while the version cannot be active yet because its other workers are starting. */
const retryAfterMs = 500;
/**
 * How long a workflow may take to end by itself. A message that is sent takes up to 4 s. Temporal takes a minute to notice that the workers of
 * the other version are gone, and until then callers get 503.
 */
const terminateAfterMs = 10_000;

export interface ActivationDependencies extends DrainDependencies {
  deployment: Deployment;
  version: WorkerVersion;
  logger: Logger;
}

/**
 * Whether a worker makes its own version the current one: if no version is current, if the current one is older, or if the current one has
 * no workers. So a new release takes over, an old worker that restarts during a rollout does not take back, and the redeployment of an old
 * release takes over when the last worker of the newer one is gone.
 */
export function takesOver(
  { buildId }: WorkerVersion,
  versions: readonly VersionInfo[],
  workers: ReadonlyMap<string, number>,
): boolean {
  const own = versions.find((version) => version.buildId === buildId);
  const current = versions.find(({ status }) => status === 'current');
  if (!own || current === own) return false;
  return !current || current.createdAt < own.createdAt || !workers.has(current.buildId);
}

/**
 * Makes the version of this worker the current one when it may take over (see `takesOver`), and moves the open workflows of other versions
 * to it. For installations without a deployment tool: with WORKER_ACTIVATION=manual, `npm run deployment` does both.
 */
export class Activation {
  #isStopped = false;
  #isDraining = false;

  constructor(private readonly dependencies: ActivationDependencies) {}

  /** Resolves when this version is current (true), or another one stays current (false). Then continues in the background until `stop`. */
  async start(): Promise<boolean> {
    let status: VersionStatus | undefined;
    while (!this.#isStopped && status === undefined) {
      status = await this.#check().catch(this.#warn);
      if (status === undefined) await sleep(retryAfterMs);
    }
    void this.#repeat();
    return status === 'current';
  }

  stop(): void {
    this.#isStopped = true;
  }

  readonly #warn = (error: unknown): undefined => {
    this.dependencies.logger.debug(
      { failure: errorName(error) },
      'the worker version cannot be activated yet; retrying',
    );
    return undefined;
  };

  async #repeat(): Promise<void> {
    while (!this.#isStopped) {
      await sleep(checkEveryMs, undefined, { ref: false });
      await this.#check().catch(this.#warn);
    }
  }

  /** Returns the status of this version. Undefined if Temporal does not know it yet. */
  async #check(): Promise<VersionStatus | undefined> {
    const { deployment, version, taskQueue, logger } = this.dependencies;
    const versions = await deployment.listVersions();
    const workers = await deployment.countWorkers(taskQueue);
    if (takesOver(version, versions, workers)) {
      await deployment.activate(version.buildId);
      logger.info({ version: versionText(version) }, 'the worker version is active');
      // The list of Temporal can lag behind.
      void this.#drainOthers(versions, workers);
      return 'current';
    }
    const own = versions.find(({ buildId }) => buildId === version.buildId);
    if (own?.status === 'current') void this.#drainOthers(versions, workers);
    return own?.status;
  }

  /** Moves the open workflows of all other versions. A version whose workers are gone cannot end its workflows itself. */
  async #drainOthers(versions: readonly VersionInfo[], workers: ReadonlyMap<string, number>): Promise<void> {
    if (this.#isDraining) return;
    this.#isDraining = true;
    const { version: own, logger } = this.dependencies;
    const others = versions.filter(({ buildId, status }) => buildId !== own.buildId && mayHaveWorkflows(status));
    try {
      for (const version of others) {
        const { moved, terminated } = await drain(this.dependencies, {
          query: openWorkflowsQuery(version),
          terminateAfterMs: workers.has(version.buildId) ? terminateAfterMs : 0,
          isStopped: () => this.#isStopped,
        });
        if (moved > 0)
          logger.info(
            { version: versionText(version), moved, terminated },
            'open workflows of this version moved to the active one',
          );
      }
    } catch (error) {
      logger.warn({ failure: errorName(error) }, 'open workflows of another version were not moved; retrying');
    } finally {
      this.#isDraining = false;
    }
  }
}
