import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

const checkEveryMs = 1_000;

interface Target {
  port: number;
  healthy: boolean;
}

export interface Balancer {
  address: string;
  /** Whether the last health check of this target succeeded. */
  isHealthy(port: number): boolean;
  stop(): Promise<void>;
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Sends requests to the healthy targets in turn, over connections that stay open. It checks each target every second, and repeats no
 * request: a request that a target does not answer gets 502.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const targets: Target[] = ports.map((port) => ({ port, healthy: false }));
  const agent = new http.Agent({ keepAlive: true });
  const check = () => Promise.all(targets.map(async (target) => void (target.healthy = await isReady(target.port))));
  const timer = setInterval(() => void check(), checkEveryMs);
  let turn = 0;
  const server = http.createServer((request, response) => {
    const healthy = targets.filter((target) => target.healthy);
    const target = healthy[(turn += 1) % healthy.length];
    const fail = () => void (response.headersSent ? response.destroy() : response.writeHead(502).end());
    if (!target) {
      fail();
      return;
    }
    const { method, url: path, headers } = request;
    const forwarded = http.request({ agent, host: '127.0.0.1', port: target.port, method, path, headers });
    forwarded.on('error', fail).on('response', (answer) => {
      // The connection to the target says nothing about the connection to the caller.
      const { connection: _, 'keep-alive': __, ...answerHeaders } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, answerHeaders);
      pipeline(answer, response, () => undefined);
    });
    pipeline(request, forwarded, () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await check();
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isHealthy: (port) => targets.some((target) => target.port === port && target.healthy),
    async stop() {
      clearInterval(timer);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
