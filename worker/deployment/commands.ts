import { setTimeout as sleep } from 'node:timers/promises';
import { grpcCodes, serviceCodeOf } from '../../platform/outage';
import { formatColumns } from '../../platform/text-table';
import { type DrainDependencies, drainVersion } from './drain';
import { type Deployment, type DeploymentState, openWorkflowsQuery, type VersionInfo } from './versions';

/** What the commands of `npm run deployment` work with. */
export interface DeploymentCommands {
  deployment: Deployment;
  dependencies: DrainDependencies;
  write: (text: string) => void;
  /** Whether the output is a terminal. A line of progress then replaces the line before it. */
  isTTY: boolean;
  /** How long to wait for workers, and for workflows that do not end by themselves. */
  timeoutMs: number;
}

const readState = ({ deployment, dependencies }: DeploymentCommands) => deployment.readState(dependencies.taskQueue);

const statusText = ({ status, rampPercentage }: VersionInfo) =>
  status === 'ramping' ? `ramping (${rampPercentage ?? 0} %)` : status;

/** Shows each version with its workers and open workflows. */
export async function showStatus(commands: DeploymentCommands): Promise<void> {
  const { deployment, dependencies, write } = commands;
  const { versions, workers } = await readState(commands);
  const countOpen = async (query: string) => (await dependencies.client.workflow.count(query)).count;
  const rows = await Promise.all(
    versions.map(async (version) => [
      version.buildId,
      statusText(version),
      String(workers.get(version.buildId) ?? 0),
      String(await countOpen(openWorkflowsQuery(version))),
      version.createdAt.slice(0, 19),
      version.activatedAt?.slice(0, 19) ?? '-',
    ]),
  );
  if (rows.length === 0) return write(`No worker of the deployment ${deployment.name} has started yet.\n`);
  write(formatColumns([['build id', 'status', 'workers', 'open workflows', 'first worker', 'active since'], ...rows]));
}

/** The error for a version that has no workers. */
function noWorkersError({ versions, workers }: DeploymentState, buildId: string): Error {
  const isKnown = versions.some((version) => version.buildId === buildId);
  const problem = isKnown ? `No worker of the version ${buildId} runs.` : `There is no version ${buildId}.`;
  const others = [...workers.keys()].filter((id) => id !== buildId);
  return new Error(
    `${problem} Start its workers first. Other versions with running workers: ${others.join(', ') || 'none'}`,
  );
}

/** The pause between two looks for the workers of a version. */
const retryEveryMs = 500;

/**
 * Changes the routing to a version, as soon as its workers poll all task queues and one of them answers. Temporal itself only checks that they
 * have polled once.
 * Returns the version as it was before the change.
 */
async function routeTo(
  commands: DeploymentCommands,
  wanted: string,
  change: (version: VersionInfo) => Promise<void>,
): Promise<VersionInfo> {
  const deadlineMs = Date.now() + commands.timeoutMs;
  for (let isAnnounced = false; ; isAnnounced = true) {
    const state = await readState(commands);
    const version = state.versions.find(({ buildId }) => buildId === wanted);
    const { taskQueue } = commands.dependencies;
    const isReady =
      version !== undefined && state.workers.has(wanted) && (await commands.deployment.answers(version, taskQueue));
    try {
      if (!isReady) throw noWorkersError(state, wanted);
      await change(version);
      return version;
    } catch (error) {
      const isEarly = !isReady || serviceCodeOf(error) === grpcCodes.failedPrecondition;
      if (!isEarly || Date.now() >= deadlineMs) throw error;
    }
    if (!isAnnounced) commands.write(`Waiting for workers of the version ${wanted} …\n`);
    await sleep(retryEveryMs);
  }
}

/** New workflows start on this version from now on. */
export async function activate(commands: DeploymentCommands, wanted: string): Promise<void> {
  const { buildId, status } = await routeTo(commands, wanted, async (version) => {
    if (version.status !== 'active') await commands.deployment.activate(version.buildId);
  });
  commands.write(`${buildId} is ${status === 'active' ? 'already ' : ''}active.\n`);
}

/** A share of the new workflows starts on this version from now on. 0 ends the ramp. */
export async function ramp(commands: DeploymentCommands, wanted: string, percent: number): Promise<void> {
  const { deployment, write } = commands;
  if (percent === 0) {
    await deployment.ramp(wanted, 0);
    return write('No version is ramping. To move the open workflows: npm run deployment -- drain\n');
  }
  await routeTo(commands, wanted, ({ buildId }) => deployment.ramp(buildId, percent));
  write(`${wanted} gets ${percent} % of the new workflows.\n`);
}

function findDraining(state: DeploymentState, wanted: string | undefined): readonly VersionInfo[] {
  if (wanted === undefined) return state.versions.filter(({ status }) => status === 'draining');
  const version = state.versions.find(({ buildId }) => buildId === wanted);
  if (!version) throw noWorkersError(state, wanted);
  if (version.status === 'active') throw new Error(`${wanted} is active. Activate another version first.`);
  if (version.status === 'ramping')
    throw new Error(`${wanted} is ramping. End the ramp first: npm run deployment -- ramp ${wanted} --percent 0`);
  return [version];
}

/** Pauses between two lines of progress: a terminal replaces the line, a log keeps it. */
const progressEveryMs = { terminal: 100, log: 2_000 };

/** Moves the open workflows of a version, or of all that are draining, to the active one. */
export async function drainVersions(commands: DeploymentCommands, wanted?: string): Promise<void> {
  const state = await readState(commands);
  const active = state.versions.find(({ status }) => status === 'active');
  if (!active) throw new Error('No version is active. Run: npm run deployment -- activate');
  const draining = findDraining(state, wanted);
  if (draining.length === 0) commands.write('No version is draining.\n');
  for (const version of draining) await drainOne(commands, state, version, active.buildId);
}

async function drainOne(
  { deployment, dependencies, write, isTTY, timeoutMs }: DeploymentCommands,
  { workers }: DeploymentState,
  version: VersionInfo,
  activeId: string,
): Promise<void> {
  const { buildId } = version;
  const textOf = (moved: number, total: number) =>
    `${buildId}: ${moved} of ${total} open workflows moved to ${activeId}`;
  let shownAtMs = 0;
  const { total, moved, terminated, isRouted } = await drainVersion({ ...dependencies, deployment }, version, {
    terminateAfterMs: workers.has(buildId) ? timeoutMs : 0,
    onProgress: (progress) => {
      if (Date.now() - shownAtMs < progressEveryMs[isTTY ? 'terminal' : 'log']) return;
      shownAtMs = Date.now();
      write(`${isTTY ? '\r' : ''}${textOf(progress.moved, progress.total)}${isTTY ? '' : '\n'}`);
    },
  });
  const terminatedText = terminated > 0 ? ` (${terminated} terminated and resumed from their record)` : '';
  write(`${isTTY ? '\r' : ''}${textOf(moved, total)}${terminatedText}.${isRouted ? '\n' : ' Its workers can stop.\n'}`);
  if (isRouted) throw new Error(`Stopped: new workflows start on ${buildId} again.`);
}

/**
 * Ends a ramp. If no version is ramping, activates the version that was active before, or `wanted` if several can be meant. Then drains the
 * others.
 */
export async function rollBack(commands: DeploymentCommands, wanted?: string): Promise<void> {
  const { versions, workers } = await readState(commands);
  const ramping = versions.find(({ status }) => status === 'ramping');
  if (ramping) {
    await ramp(commands, ramping.buildId, 0);
    return drainVersions(commands, ramping.buildId);
  }
  const wasActive = ({ status }: VersionInfo) => status === 'draining' || status === 'drained';
  const earlier = versions.filter((version) => wasActive(version) && workers.has(version.buildId));
  const previous = wanted ?? earlier[0]?.buildId;
  if (previous === undefined)
    throw new Error(
      'No earlier version has workers. Start the workers of the version to which you want to return, then run: npm run deployment -- rollback <build id>',
    );
  if (wanted === undefined && earlier.length > 1)
    throw new Error(
      `Several earlier versions have workers: ${earlier.map(({ buildId }) => buildId).join(', ')}. Name one: npm run deployment -- rollback <build id>`,
    );
  await activate(commands, previous);
  await drainVersions(commands);
}
