import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from '@temporalio/client';
import { readDeploymentConfig } from '../../platform/config';
import { TransactionKeys } from '../../platform/keys/data-keys';
import { createServiceKeys } from '../../platform/keys/service-keys';
import type { Pool } from '../../platform/postgres/postgres';
import { type CommandContext, runOnDatabase } from '../../platform/postgres/queries';
import { createDataConverter } from '../../platform/temporal/data-converter';
import { openTemporal } from '../../platform/temporal/connection';
import { findState } from '../../store/transactions/transactions.sql';
import { dataOwnerOf } from '../../workflows/contract/ids';
import { deliverWaiting } from '../webhook-deliveries';
import { drain, type DrainDependencies } from './drain';
import { Deployment, openWorkflowsQuery, unversionedQuery, type VersionInfo } from './versions';

const usage = `Usage:
  npm run deployment -- status
      lists the versions of the workers, with their workers and open workflows
  npm run deployment -- activate [<build id>]
      new workflows start on this version; default: the newest version. Waits until its workers run
  npm run deployment -- ramp <build id> --percent <0 to 100>
      a share of the new workflows starts on this version; 0 ends the ramp
  npm run deployment -- drain [<build id>]
      moves the open workflows of this version to the active one; default: of all versions that are draining.
      "unversioned" stands for workflows of releases without versions
  npm run deployment -- rollback
      activates the version that was active before, and moves the open workflows of all others to it

Options of activate, ramp, drain and rollback:
  --timeout <seconds>   how long to wait for workers, and for workflows that do not end by themselves (default: 120).
                        After this time, a workflow is terminated and resumed from its record

The settings are those of the worker: DATABASE_URL, SERVICE_KEY, TEMPORAL_ADDRESS and so on. If DATABASE_URL is not set,
the command uses the local stack (npm start) that runs with the same DATA_DIR (default: .data).
`;

const exampleId = '1a2b3c4d5e6f';

/** What the commands work with. */
interface Opened {
  deployment: Deployment;
  dependencies: DrainDependencies;
  taskQueue: string;
  write: (text: string) => void;
  /** Whether the output is a terminal. A line of progress then replaces the line before it. */
  isTTY: boolean;
  timeoutMs: number;
}

/** Pads the columns of a table. */
function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const formatRow = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   ');
  return rows.map((row) => `${formatRow(row).trimEnd()}\n`).join('');
}

const statusText = ({ status, rampPercentage }: VersionInfo) =>
  status === 'ramping' ? `ramping (${rampPercentage ?? 0} %)` : status === 'current' ? 'active' : status;

async function showStatus({ deployment, dependencies, taskQueue, write }: Opened): Promise<number> {
  const [versions, workers] = await Promise.all([deployment.listVersions(), deployment.countWorkers(taskQueue)]);
  const { client } = dependencies;
  const countOpen = async (query: string) => (await client.workflow.count(query)).count;
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
  const unversioned = await countOpen(unversionedQuery);
  if (unversioned > 0) rows.push(['unversioned', '-', '-', String(unversioned), '-', '-']);
  if (rows.length === 0) write(`No worker of the deployment ${deployment.name} has started yet.\n`);
  else
    write(formatTable([['build id', 'status', 'workers', 'open workflows', 'first worker', 'active since'], ...rows]));
  return 0;
}

/** The error for a version that Temporal does not know. Without a build id: no worker has started yet. */
function unknownVersion(versions: readonly VersionInfo[], buildId = 'of this deployment'): Error {
  const known = versions.map((version) => version.buildId).join(', ') || 'none';
  return new Error(`There is no version ${buildId}. Start its workers first. Versions with workers so far: ${known}`);
}

const failedPreconditionCode = 9;
const retryEveryMs = 500;

/**
 * Changes the routing to a version (default: the newest one), as soon as the version has workers for all task queues. Returns the version as
 * it was before the change.
 */
async function routeTo(
  { deployment, write, timeoutMs }: Opened,
  wanted: string | undefined,
  change: (version: VersionInfo) => Promise<void>,
): Promise<VersionInfo> {
  const deadlineMs = Date.now() + timeoutMs;
  for (let isAnnounced = false; ; isAnnounced = true) {
    const versions = await deployment.listVersions();
    const version = wanted === undefined ? versions[0] : versions.find(({ buildId }) => buildId === wanted);
    try {
      if (!version) throw unknownVersion(versions, wanted);
      await change(version);
      return version;
    } catch (error) {
      const isEarly = !version || (error as { code?: unknown }).code === failedPreconditionCode;
      if (!isEarly || Date.now() >= deadlineMs) throw error;
    }
    if (!isAnnounced) write('Waiting for workers of the version …\n');
    await sleep(retryEveryMs);
  }
}

async function activate(opened: Opened, wanted: string | undefined): Promise<number> {
  const { buildId, status } = await routeTo(opened, wanted, async (version) => {
    if (version.status !== 'current') await opened.deployment.activate(version.buildId);
  });
  opened.write(`${buildId} is ${status === 'current' ? 'already ' : ''}active.\n`);
  return 0;
}

async function ramp(opened: Opened, wanted: string, percent: number): Promise<number> {
  await routeTo(opened, wanted, ({ buildId }) => opened.deployment.ramp(buildId, percent));
  opened.write(percent === 0 ? 'No version is ramping.\n' : `${wanted} gets ${percent} % of the new workflows.\n`);
  return 0;
}

/** Moves the open workflows of a version, or of all versions that are not active, to the active one. */
async function drainVersions(opened: Opened, wanted: string | undefined): Promise<number> {
  const { deployment, dependencies, taskQueue, write, isTTY, timeoutMs } = opened;
  const [versions, workers] = await Promise.all([deployment.listVersions(), deployment.countWorkers(taskQueue)]);
  const active = versions.find(({ status }) => status === 'current');
  if (!active) throw new Error('No version is active. Run: npm run deployment -- activate');
  if (wanted === active.buildId) throw new Error(`${wanted} is active. Activate another version first.`);
  const isUnversioned = wanted === 'unversioned';
  const sources = isUnversioned
    ? [{ name: 'unversioned', query: unversionedQuery, hasWorkers: true }]
    : versions
        .filter(({ buildId, status }) => (wanted === undefined ? status === 'draining' : buildId === wanted))
        .map((version) => ({
          name: version.buildId,
          query: openWorkflowsQuery(version),
          hasWorkers: workers.has(version.buildId),
        }));
  if (sources.length === 0 && wanted !== undefined) throw unknownVersion(versions, wanted);
  if (sources.length === 0) write('No version is draining.\n');
  for (const { name, query, hasWorkers } of sources) {
    const textOf = (moved: number, total: number) =>
      `${name}: ${moved} of ${total} open workflows moved to ${active.buildId}`;
    let shownAtMs = 0;
    const { total, moved, terminated } = await drain(dependencies, {
      query,
      terminateAfterMs: hasWorkers ? timeoutMs : 0,
      onProgress: (progress) => {
        if (Date.now() - shownAtMs < (isTTY ? 100 : 2_000)) return;
        shownAtMs = Date.now();
        write(`${isTTY ? '\r' : ''}${textOf(progress.moved, progress.total)}${isTTY ? '' : '\n'}`);
      },
    });
    const terminatedText = terminated > 0 ? ` (${terminated} terminated and resumed from their record)` : '';
    write(`${isTTY ? '\r' : ''}${textOf(moved, total)}${terminatedText}. Its workers can stop.\n`);
  }
  return 0;
}

/** Activates the version that was active before the active one, and drains all others. */
async function rollBack(opened: Opened): Promise<number> {
  const { deployment, taskQueue } = opened;
  const [versions, workers] = await Promise.all([deployment.listVersions(), deployment.countWorkers(taskQueue)]);
  const [previous] = versions
    .filter(({ deactivatedAt, buildId }) => deactivatedAt !== undefined && workers.has(buildId))
    .toSorted((left, right) => ((left.deactivatedAt ?? '') < (right.deactivatedAt ?? '') ? 1 : -1));
  if (!previous)
    throw new Error(
      'No earlier version has workers. Start the workers of the version to which you want to return, and activate it: npm run deployment -- activate <build id>',
    );
  await activate(opened, previous.buildId);
  return drainVersions(opened, undefined);
}

/** Shows and changes on which version of the workers workflows run. Returns the exit code: 1 if the command failed. */
export function runDeployment(args: readonly string[], context: CommandContext): Promise<number> {
  const { stdout } = context;
  return runOnDatabase(context, async (open) => {
    const options = {
      help: { type: 'boolean', short: 'h' },
      percent: { type: 'string' },
      timeout: { type: 'string', default: '120' },
    } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [command, buildId, ...rest] = positionals;
    const commands = ['status', 'activate', 'ramp', 'drain', 'rollback'];
    if (values.help || command === undefined) {
      stdout.write(usage);
      return values.help ? 0 : 1;
    }
    const timeoutMs = Number(values.timeout) * 1_000;
    const percent = values.percent === undefined ? undefined : Number(values.percent);
    if (!commands.includes(command) || rest.length > 0 || !(timeoutMs >= 0))
      throw new Error(`${usage}\nThe command is not valid: ${positionals.join(' ')}`);
    if (command === 'ramp' && (buildId === undefined || percent === undefined || !(percent >= 0 && percent <= 100)))
      throw new Error(`Name a version and a share: npm run deployment -- ramp ${exampleId} --percent 10`);
    const { pool, settings } = open(readDeploymentConfig);
    const opened = openDeployment(pool, settings, {
      write: (text) => void stdout.write(text),
      isTTY: stdout.isTTY === true,
      timeoutMs,
    });
    try {
      if (command === 'status') return await showStatus(opened);
      if (command === 'activate') return await activate(opened, buildId);
      if (command === 'drain') return await drainVersions(opened, buildId);
      if (command === 'rollback') return await rollBack(opened);
      return await ramp(opened, buildId ?? '', percent ?? 0);
    } finally {
      await opened.close();
    }
  });
}

function openDeployment(
  pool: Pool,
  settings: ReturnType<typeof readDeploymentConfig>,
  output: Pick<Opened, 'write' | 'isTTY' | 'timeoutMs'>,
): Opened & { close: () => Promise<void> } {
  const { TEMPORAL_NAMESPACE: namespace, TEMPORAL_TASK_QUEUE: taskQueue, ENCRYPT_PAYLOADS: encrypts } = settings;
  const transactionKeys = new TransactionKeys(
    pool,
    createServiceKeys(settings.SERVICE_KEY, settings.OTHER_SERVICE_KEYS),
  );
  const dataConverter = createDataConverter({ transactionKeys, ownerOf: dataOwnerOf, encrypts });
  const { client, connection } = openTemporal(settings, dataConverter);
  return {
    ...output,
    taskQueue,
    deployment: new Deployment(new Client({ connection, namespace }), namespace, settings.WORKER_DEPLOYMENT),
    dependencies: {
      client,
      taskQueue,
      findState: (target) => findState(pool, transactionKeys, target),
      deliverWaiting: (webhook) => deliverWaiting(client, taskQueue, webhook),
    },
    close: () => connection.close(),
  };
}
