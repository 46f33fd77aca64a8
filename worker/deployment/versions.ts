import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { withDeadline } from '../../platform/temporal/connection';

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

/** How Temporal names a version in the search attribute `TemporalWorkerDeploymentVersion`. */
export const versionText = ({ deploymentName, buildId }: WorkerVersion): string => `${deploymentName}:${buildId}`;

/** A query for the open workflows of a version. */
export const openWorkflowsQuery = (version: WorkerVersion): string =>
  `TemporalWorkerDeploymentVersion = '${versionText(version)}' and ExecutionStatus = 'Running'`;

/** A query for the open workflows of releases without versions. */
export const unversionedQuery = `TemporalWorkerDeploymentVersion is null and ExecutionStatus = 'Running' and WorkflowType in ('transaction', 'webhookDelivery', 'retention')`;

/** `current`: new workflows start on it. `ramping`: a share of them does. `draining`, `drained`: it was current before. */
export type VersionStatus = 'inactive' | 'current' | 'ramping' | 'draining' | 'drained';

/** Whether a version that is not active can have open workflows. On a ramping version, they stay. */
export const mayHaveWorkflows = (status: VersionStatus): boolean => status === 'draining' || status === 'current';

/** A version that Temporal knows. Times are in ISO 8601. */
export interface VersionInfo extends WorkerVersion {
  status: VersionStatus;
  /** When its first worker started. */
  createdAt: string;
  /** When it became the current version. Absent if it never was. */
  activatedAt?: string;
  /** When another version became current. Absent if it never was current, and while it is. */
  deactivatedAt?: string;
  /** The share of new workflows that start on it, in percent, while it is ramping. */
  rampPercentage?: number;
}

const { WorkerDeploymentVersionStatus: Status } = temporal.api.enums.v1;

const statusNames: Readonly<Partial<Record<number, VersionStatus>>> = {
  [Status.WORKER_DEPLOYMENT_VERSION_STATUS_CURRENT]: 'current',
  [Status.WORKER_DEPLOYMENT_VERSION_STATUS_RAMPING]: 'ramping',
  [Status.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINING]: 'draining',
  [Status.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINED]: 'drained',
};

/** Temporal changes the routing through a workflow of its own, which takes up to a second on a busy cluster. */
const callMs = 10_000;

const notFoundCode = 5;

type Timestamp = { seconds?: { toNumber(): number } | null; nanos?: number | null } | null | undefined;
const isoTime = (time: Timestamp): string | undefined =>
  time?.seconds ? new Date(time.seconds.toNumber() * 1_000 + (time.nanos ?? 0) / 1e6).toISOString() : undefined;

/** The versions of the workers of one deployment, newest first. */
export class Deployment {
  constructor(
    private readonly client: Client,
    private readonly namespace: string,
    readonly name: string,
  ) {}

  /** The versions that Temporal knows. Empty before the first worker has started. */
  async listVersions(): Promise<VersionInfo[]> {
    const { namespace, name: deploymentName } = this;
    const found = await withDeadline(this.client, callMs, ({ workflowService }) =>
      workflowService.describeWorkerDeployment({ namespace, deploymentName }),
    ).catch((error: unknown) => {
      if ((error as { code?: unknown }).code === notFoundCode) return undefined;
      throw error;
    });
    const { versionSummaries, routingConfig } = found?.workerDeploymentInfo ?? {};
    const versions = (versionSummaries ?? []).map((summary): VersionInfo => {
      const status = statusNames[summary.status ?? 0] ?? 'inactive';
      const activatedAt = isoTime(summary.currentSinceTime) ?? isoTime(summary.firstActivationTime);
      const deactivatedAt = isoTime(summary.lastDeactivationTime);
      return {
        deploymentName,
        buildId: summary.deploymentVersion?.buildId ?? '',
        status,
        createdAt: isoTime(summary.createTime) ?? '',
        ...(activatedAt !== undefined && { activatedAt }),
        ...(deactivatedAt !== undefined && status !== 'current' && { deactivatedAt }),
        ...(status === 'ramping' && { rampPercentage: routingConfig?.rampingVersionPercentage ?? 0 }),
      };
    });
    return versions.toSorted((left, right) => (left.createdAt < right.createdAt ? 1 : -1));
  }

  /**
   * New workflows start on this version from now on. Open workflows stay on theirs. Fails with FAILED_PRECONDITION (9) if the version has no
   * workers for a task queue of the current version, and with NOT_FOUND (5) if it never had workers.
   */
  async activate(buildId: string): Promise<void> {
    const { namespace, name: deploymentName } = this;
    await withDeadline(this.client, callMs, ({ workflowService }) =>
      workflowService.setWorkerDeploymentCurrentVersion({
        namespace,
        deploymentName,
        buildId,
        identity: 'countersign',
      }),
    );
  }

  /** `percentage` of the new workflows start on this version from now on. 0 ends the ramp. */
  async ramp(buildId: string, percentage: number): Promise<void> {
    const { namespace, name: deploymentName } = this;
    await withDeadline(this.client, callMs, ({ workflowService }) =>
      workflowService.setWorkerDeploymentRampingVersion({
        namespace,
        deploymentName,
        buildId: percentage === 0 ? '' : buildId,
        percentage,
        identity: 'countersign',
      }),
    );
  }

  /** How many workers of each version poll the task queue, by build id. Workers that stopped count for up to `seenWithinMs`. */
  async countWorkers(taskQueue: string): Promise<Map<string, number>> {
    const { namespace, name } = this;
    const { pollers } = await withDeadline(this.client, callMs, ({ workflowService }) =>
      workflowService.describeTaskQueue({
        namespace,
        taskQueue: { name: taskQueue },
        taskQueueType: temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
      }),
    );
    const since = new Date(Date.now() - seenWithinMs).toISOString();
    const workers = pollers.filter(
      ({ deploymentOptions, lastAccessTime }) =>
        deploymentOptions?.deploymentName === name && (isoTime(lastAccessTime) ?? '') > since,
    );
    const counts = new Map<string, number>();
    for (const { deploymentOptions } of workers) {
      const buildId = deploymentOptions?.buildId ?? '';
      counts.set(buildId, (counts.get(buildId) ?? 0) + 1);
    }
    return counts;
  }
}

/** A worker polls again at least every minute. */
const seenWithinMs = 70_000;
