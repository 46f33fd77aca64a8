import { setTimeout as sleep } from 'node:timers/promises';
import { errorName, type Logger } from '../../platform/logger';
import { drainVersion, type VersionDrainDependencies } from './drain';
import { type Deployment, type DeploymentState, type VersionInfo, versionText, type WorkerVersion } from './versions';

/** Tests shorten these times. */
export const activationTiming = {
  /** How often a worker of the active version looks for open workflows of other versions. */
  checkEveryMs: 15_000,
  /** The pause before the next try, while Temporal does not know all task queues of the workers of this version yet. */
  retryAfterMs: 500,
  /** After this time, each failed try is a warning. The first worker of a version registers its task queues within seconds. */
  warnAfterMs: 10_000,
};
/** How often in a row the active version must have no workers until another one takes over. */
const abandonedReadingsMin = 2;
/**
 * How long a transaction may take to end by itself. An attempt to send a message takes up to 10 s. Temporal takes a minute to notice that
 * the workers of the other version are gone, and until then callers get 503.
 */
const terminateAfterMs = 15_000;

export interface ActivationDependencies extends VersionDrainDependencies {
  deployment: Pick<Deployment, 'readState' | 'listVersions' | 'activate'>;
  version: WorkerVersion;
  logger: Logger;
}

/** Decides whether a worker makes its own version the active one. */
type TakeOverRule = (own: WorkerVersion, state: DeploymentState) => boolean;

/**
 * For a worker that has just started: if no version is active, or if the active one is older. So a new release takes over, and an old
 * worker that restarts during a rollout does not take back. False while Temporal does not know the own version.
 */
export const takesOver: TakeOverRule = ({ buildId }, { versions }) => {
  const own = versions.find((version) => version.buildId === buildId);
  const active = versions.find(({ status }) => status === 'active');
  return own !== undefined && own !== active && (!active || active.createdAt < own.createdAt);
};

/**
 * Whether the workers of the active version are gone, so that another version must take over, also an older one. A state without the own
 * workers is not complete: Temporal forgets all workers when it restarts.
 */
export const isAbandoned: TakeOverRule = ({ buildId }, { versions, workers }) =>
  workers.has(buildId) && !versions.some((version) => version.status === 'active' && workers.has(version.buildId));

/**
 * Makes the version of this worker the current one when it may take over, and moves the open workflows of other versions to it. For
 * installations without a deployment tool: with WORKER_ACTIVATION=manual, `npm run deployment` does both.
 */
export class Activation {
  #isStopped = false;
  #isDraining = false;
  #abandonedReadings = 0;
  #isActive = false;

  constructor(private readonly dependencies: ActivationDependencies) {}

  /** Resolves when this version is active, or another one stays active. Then continues in the background until `stop`. */
  async start(): Promise<void> {
    const startedMs = Date.now();
    while (!this.#isStopped && !(await this.#check(takesOver).catch((error: unknown) => this.#warn(error, startedMs))))
      await sleep(activationTiming.retryAfterMs);
    void this.#repeat();
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Whether new workflows start on this version, as far as this worker knows. */
  get isActive(): boolean {
    return this.#isActive;
  }

  async #repeat(): Promise<void> {
    const isAbandonedForLong: TakeOverRule = (own, state) => {
      this.#abandonedReadings = isAbandoned(own, state) ? this.#abandonedReadings + 1 : 0;
      return this.#abandonedReadings >= abandonedReadingsMin;
    };
    while (!this.#isStopped) {
      await sleep(activationTiming.checkEveryMs, undefined, { ref: false });
      await this.#check(isAbandonedForLong).catch((error: unknown) => this.#warn(error));
    }
  }

  #warn(error: unknown, startedMs = 0): false {
    if (Date.now() - startedMs > activationTiming.warnAfterMs)
      this.dependencies.logger.warn(
        { failure: errorName(error) },
        'the version of this worker could not be checked or activated; retrying',
      );
    return false;
  }

  /** Returns false if Temporal does not know this version yet. */
  async #check(rule: TakeOverRule): Promise<boolean> {
    const { deployment, version, taskQueue, logger } = this.dependencies;
    const state = await deployment.readState(taskQueue);
    const activates = rule(version, state);
    if (activates) {
      await deployment.activate(version.buildId);
      logger.info({ version: versionText(version) }, 'the worker version is active');
    }
    const versions = activates ? await deployment.listVersions() : state.versions;
    const own = versions.find(({ buildId }) => buildId === version.buildId);
    this.#isActive = own?.status === 'active';
    if (this.#isActive) void this.#drainOthers(versions.filter(({ status }) => status === 'draining'));
    return own !== undefined;
  }

  async #drainOthers(versions: readonly VersionInfo[]): Promise<void> {
    if (this.#isDraining) return;
    this.#isDraining = true;
    const { logger } = this.dependencies;
    try {
      for (const version of versions) {
        const { moved, terminated } = await drainVersion(this.dependencies, version, {
          terminateAfterMs,
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
