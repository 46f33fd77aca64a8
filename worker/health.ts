import http from 'node:http';
import type { WorkflowClient } from '@temporalio/client';
import type { Worker } from '@temporalio/worker';
import { completesWorkflowTasks } from './readiness';

/**
 * Answers on loopback whether this worker is ready: 200 from its first completed workflow task until it stops, else 503.
 * Call it when the worker runs. Returns a function that ends it. Port 0: no answer, and no workflow to find it out.
 */
export function serveHealth(worker: Worker, client: WorkflowClient, port: number): () => void {
  if (port === 0) return () => {};
  let proven = false;
  void completesWorkflowTasks(worker, client).then((completes) => {
    proven = completes;
  });
  const server = http.createServer((_, response) => {
    const ready = proven && worker.getState() === 'RUNNING';
    response.writeHead(ready ? 200 : 503, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify({ status: ready ? 'ready' : 'not ready' }));
  });
  server.listen(port, '127.0.0.1');
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
