import http from 'node:http';
import type { WorkflowClient } from '@temporalio/client';
import type { WorkerGroup } from './create-workers';
import { waitUntilReady } from './readiness';

/**
 * Serves the readiness of the workers at 127.0.0.1. The status is 200 from the first completed workflow task until the workers stop, and
 * 503 before and after. Call this when the workers run. Returns a function that stops the server. With port 0 there is no server.
 */
export function serveHealth(workers: WorkerGroup, client: WorkflowClient, port: number): () => void {
  if (port === 0) return () => {};
  let hasCompletedTask = false;
  void waitUntilReady(workers, client).then((completes) => {
    hasCompletedTask = completes;
  });
  const server = http.createServer((_, response) => {
    const ready = hasCompletedTask && workers.isRunning();
    response.writeHead(ready ? 200 : 503, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify({ status: ready ? 'ready' : 'not ready' }));
  });
  server.listen(port, '127.0.0.1');
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
