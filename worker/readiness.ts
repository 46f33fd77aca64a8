import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowClient } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import type { Pool } from '../platform/postgres/postgres';
import { createProbe } from '../platform/startup';
import type { WorkerGroup } from './create-workers';
import { startReadinessWorkflow } from './deployment/readiness-workflow';

type ObservedWorker = Pick<WorkerGroup, 'identity' | 'taskQueue' | 'isRunning' | 'version'>;

/**
 * The pause before the next readiness workflow. A longer pause would delay the time when the worker is ready. With a shorter pause, these
 * workflows could overload Temporal.
 */
const pauseMs = 250;

async function runReadinessWorkflow(
  client: WorkflowClient,
  { identity, taskQueue, version }: ObservedWorker,
  isActive: boolean,
): Promise<boolean> {
  // A worker is ready before its version is active. Once it is active, new workflows must really arrive here.
  const handle = await startReadinessWorkflow(client, taskQueue, isActive ? undefined : version);
  await handle.result();
  const { events } = await handle.fetchHistory();
  return events?.some((event) => event.workflowTaskCompletedEventAttributes?.identity === identity) ?? false;
}

/**
 * Runs the readiness workflow again and again until this worker completes it. Until then, other workers of the same version may complete
 * it. Resolves to true when this worker has completed it. Resolves to false if this worker stops first. Never rejects.
 */
async function waitUntilReady(
  worker: ObservedWorker,
  client: WorkflowClient,
  isActive: () => boolean,
): Promise<boolean> {
  while (worker.isRunning()) {
    if (await runReadinessWorkflow(client, worker, isActive()).catch(() => false)) return true;
    await sleep(pauseMs);
  }
  return false;
}

/** What a worker needs to be ready. */
interface ReadinessDependencies {
  pool: Pick<Pool, 'query'>;
  connection: Pick<NativeConnection, 'workflowService'>;
  client: WorkflowClient;
  namespace: string;
  /** Whether new workflows start on the version of this worker. */
  isActive?: () => boolean;
}

/**
 * Returns a function that says whether a worker can do its work: it has completed a workflow task and has not stopped, and Postgres and
 * Temporal answer. Temporal is asked about the task queue, so the answer also needs the namespace.
 */
export function createReadiness(
  worker: ObservedWorker,
  { pool, connection, client, namespace, isActive = () => false }: ReadinessDependencies,
): () => Promise<boolean> {
  let hasCompletedTask = false;
  void waitUntilReady(worker, client, isActive).then((completes) => {
    hasCompletedTask = completes;
  });
  const databaseAnswers = createProbe(() => pool.query('select 1'));
  const temporalAnswers = createProbe(() =>
    connection.workflowService.describeTaskQueue({ namespace, taskQueue: { name: worker.taskQueue } }),
  );
  return async () =>
    hasCompletedTask &&
    worker.isRunning() &&
    (await Promise.all([databaseAnswers(), temporalAnswers()])).every((answers) => answers);
}

export interface HealthAddress {
  /** The address on which to listen: 127.0.0.1 for programs on the same machine only, and 0.0.0.0 for probes of other machines. */
  host: string;
  /** With port 0 there is no server. */
  port: number;
}

/**
 * Serves the health of the process. GET /health/live: 200 as long as the process runs. GET /health/ready: 200 if `isReady`, and otherwise
 * 503. All other paths: 404. Returns a function that stops the server.
 */
export function serveHealth({ host, port }: HealthAddress, isReady: () => Promise<boolean>): () => void {
  if (port === 0) return () => {};
  const statusOf = async (method = '', url = ''): Promise<[number, string]> => {
    const [path] = url.split('?');
    if (method !== 'GET' && method !== 'HEAD') return [404, 'not found'];
    if (path === '/health/live') return [200, 'live'];
    if (path !== '/health/ready') return [404, 'not found'];
    return (await isReady()) ? [200, 'ready'] : [503, 'not ready'];
  };
  const server = http.createServer((request, response) => {
    void statusOf(request.method, request.url).then(([code, status]) => {
      response.writeHead(code, { 'content-type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify({ status }));
    });
  });
  server.listen(port, host);
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
