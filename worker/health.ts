import http from 'node:http';
import type { Worker } from '@temporalio/worker';

/** Tells on loopback whether the worker takes tasks: 200 while it runs, 503 before and after. Returns a function that ends it. */
export function serveHealth(worker: Worker, port: number): () => void {
  if (port === 0) return () => {};
  const server = http.createServer((_, response) => {
    const ready = worker.getState() === 'RUNNING';
    response.writeHead(ready ? 200 : 503, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify({ status: ready ? 'ready' : 'not ready' }));
  });
  server.listen(port, '127.0.0.1');
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
