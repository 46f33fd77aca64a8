import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Client, WorkflowFailedError } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { grpcCodes, serviceCodeOf } from '../../platform/outage';
import { withDeadline } from '../../platform/temporal/connection';
import { builtBundle } from '../bundle';
import { readinessTimeoutMs, startReadinessWorkflow } from './readiness-workflow';

/** The workers of one build. Temporal sends the tasks of a workflow only to workers of the version on which the workflow started. */
export interface WorkerVersion {
  deploymentName: string;
  buildId: string;
}

/** Characters of a build id that is made from the code. 12 hexadecimal digits are 48 bits. */
const buildIdLength = 12;

/**
 * The build id of a bundle of workflow code: a part of its hash. Releases with the same workflow code have the same build id, so they need
 * no upgrade of open workflows.
 */
export const buildIdOf = (bundlePath: string): string =>
  createHash('sha256').update(readFileSync(bundlePath)).digest('hex').slice(0, buildIdLength);

interface VersionSettings {
  WORKER_DEPLOYMENT: string;
  WORKER_BUILD_ID?: string | undefined;
}

/** The version of this release. */
export const ownVersion = ({ WORKER_DEPLOYMENT, WORKER_BUILD_ID }: VersionSettings): WorkerVersion => ({
  deploymentName: WORKER_DEPLOYMENT,
  buildId: WORKER_BUILD_ID ?? buildIdOf(builtBundle.codePath),
});

/** How Temporal names a version in the search attribute `TemporalWorkerDeploymentVersion`. */
export const versionText = ({ deploymentName, buildId }: WorkerVersion): string => `${deploymentName}:${buildId}`;

/** A query for the open workflows of a version. */
export const openWorkflowsQuery = (version: WorkerVersion): string =>
  `TemporalWorkerDeploymentVersion = '${versionText(version)}' and ExecutionStatus = 'Running'`;

/**
 * `active`: new workflows start on it. `ramping`: a share of them does. `draining`, `drained`: it was active or ramping before, and
 * Temporal has, or has not, seen open workflows of it. `inactive`: it was neither.
 */
export type VersionStatus = 'inactive' | 'active' | 'ramping' | 'draining' | 'drained';

/** A version that Temporal knows. Times are in ISO 8601. */
export interface VersionInfo extends WorkerVersion {
  status: VersionStatus;
  /** When its first worker started. */
  createdAt: string;
  /** Since when it is active, or when it first was. Absent if it never was. */
  activatedAt?: string;
  /** The share of new workflows that start on it, in percent, while it is ramping. */
  rampPercentage?: number;
}

/** Whether new workflows start on a version. A workflow that leaves it would come back. */
export const isRouted = ({ status }: Pick<VersionInfo, 'status'>): boolean =>
  status === 'active' || status === 'ramping';

const { WorkerDeploymentVersionStatus: Status } = temporal.api.enums.v1;

/** Temporal changes the routing through a workflow of its own, which takes up to a second on a busy cluster. */
const callMs = 10_000;

/** A worker polls again at least every minute. */
const seenWithinMs = 70_000;

type Timestamp = { seconds?: { toNumber(): number } | null; nanos?: number | null } | null | undefined;
const isoTime = (time: Timestamp): string | undefined =>
  time?.seconds ? new Date(time.seconds.toNumber() * 1_000 + (time.nanos ?? 0) / 1e6).toISOString() : undefined;

/** What Temporal knows about the versions of the workers, newest first, and how many workers of each version run, by build id. */
export interface DeploymentState {
  versions: readonly VersionInfo[];
  workers: ReadonlyMap<string, number>;
}

/** The versions of the workers of one installation. */
export class Deployment {
  constructor(
    private readonly client: Client,
    private readonly namespace: string,
    readonly name: string,
  ) {}

  /**
   * The versions that Temporal knows. Empty before the first worker has started. The routing is read from the deployment, because the
   * status that Temporal lists for a version follows a change of the routing with a delay.
   */
  async listVersions(): Promise<VersionInfo[]> {
    const { namespace, name: deploymentName } = this;
    const found = await withDeadline(this.client, callMs, ({ workflowService }) =>
      workflowService.describeWorkerDeployment({ namespace, deploymentName }),
    ).catch((error: unknown) => {
      if (serviceCodeOf(error) === grpcCodes.notFound) return undefined;
      throw error;
    });
    const { versionSummaries, routingConfig } = found?.workerDeploymentInfo ?? {};
    const statusOf = (
      buildId: string,
      listed: temporal.api.enums.v1.WorkerDeploymentVersionStatus | undefined,
    ): VersionStatus => {
      if (routingConfig?.currentDeploymentVersion?.buildId === buildId) return 'active';
      if (routingConfig?.rampingDeploymentVersion?.buildId === buildId) return 'ramping';
      if (listed === Status.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINED) return 'drained';
      return listed === Status.WORKER_DEPLOYMENT_VERSION_STATUS_INACTIVE ? 'inactive' : 'draining';
    };
    const versions = (versionSummaries ?? []).map((summary): VersionInfo => {
      const buildId = summary.deploymentVersion?.buildId ?? '';
      const status = statusOf(buildId, summary.status ?? undefined);
      const activatedAt = isoTime(summary.currentSinceTime) ?? isoTime(summary.firstActivationTime);
      return {
        deploymentName,
        buildId,
        status,
        createdAt: isoTime(summary.createTime) ?? '',
        ...(activatedAt !== undefined && { activatedAt }),
        ...(status === 'ramping' && { rampPercentage: routingConfig?.rampingVersionPercentage ?? 0 }),
      };
    });
    return versions.toSorted((left, right) => (left.createdAt < right.createdAt ? 1 : -1));
  }

  /** The versions, and the workers that poll a task queue. Workers that stopped count for up to `seenWithinMs`. */
  async readState(taskQueue: string): Promise<DeploymentState> {
    const [versions, workers] = await Promise.all([this.listVersions(), this.#countWorkers(taskQueue)]);
    return { versions, workers };
  }

  /**
   * Whether a worker of a version completes a workflow task. The counts of `readState` do not say this: a worker that stopped a minute ago still
   * counts, and a version without workers that becomes active answers no command.
   */
  async answers(version: WorkerVersion, taskQueue: string): Promise<boolean> {
    const run = async () => (await startReadinessWorkflow(this.client.workflow, taskQueue, version)).result();
    return withDeadline(this.client, readinessTimeoutMs + callMs, run).then(
      () => true,
      (error: unknown) => {
        if (error instanceof WorkflowFailedError) return false;
        throw error;
      },
    );
  }

  /**
   * New workflows start on this version from now on. Open workflows stay on theirs. Fails with FAILED_PRECONDITION (9) if no worker of the
   * version has ever polled a task queue of the active version, and with NOT_FOUND (5) if it never had workers.
   */
  async activate(buildId: string): Promise<void> {
    const { namespace, name: deploymentName } = this;
    const request = { namespace, deploymentName, buildId, identity: 'countersign' };
    await withDeadline(this.client, callMs, ({ workflowService }) =>
      workflowService.setWorkerDeploymentCurrentVersion(request),
    );
  }

  /** `percentage` of the new workflows start on this version from now on. 0 ends the ramp, of whichever version. */
  async ramp(buildId: string, percentage: number): Promise<void> {
    const { namespace, name: deploymentName } = this;
    const target = percentage === 0 ? '' : buildId;
    const request = { namespace, deploymentName, buildId: target, percentage, identity: 'countersign' };
    await withDeadline(this.client, callMs, ({ workflowService }) =>
      workflowService.setWorkerDeploymentRampingVersion(request),
    );
  }

  async #countWorkers(taskQueue: string): Promise<Map<string, number>> {
    const { namespace, name } = this;
    const taskQueueType = temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW;
    const { pollers } = await withDeadline(this.client, callMs, ({ workflowService }) =>
      workflowService.describeTaskQueue({ namespace, taskQueue: { name: taskQueue }, taskQueueType }),
    );
    const since = new Date(Date.now() - seenWithinMs).toISOString();
    const counts = new Map<string, number>();
    for (const { deploymentOptions, lastAccessTime } of pollers) {
      const { deploymentName, buildId } = deploymentOptions ?? {};
      if (deploymentName !== name || !buildId || (isoTime(lastAccessTime) ?? '') <= since) continue;
      counts.set(buildId, (counts.get(buildId) ?? 0) + 1);
    }
    return counts;
  }
}
