import { writeFileSync } from 'node:fs';
import { isOk, type Component } from '../../../dev/stack/component';
import { type Link, links, type Ports } from './layout';

/** Time for the proxy to change a link. It waits 5 s for each connection whose other end takes no bytes, such as one to a stopped server. */
const requestTimeoutMs = 60_000;

/** `file`: for its configuration. `seed`: of its random delays. */
export function networkProxy(program: string, file: string, ports: Ports, seed: number): Component<'toxiproxy'> {
  const proxies = links.map((link) => ({
    name: link,
    listen: `127.0.0.1:${ports.links[link]}`,
    upstream: `127.0.0.1:${link.endsWith('-postgres') ? ports.postgres : ports.temporal}`,
    enabled: true,
  }));
  return {
    name: 'toxiproxy',
    prepare: () => Promise.resolve(writeFileSync(file, JSON.stringify(proxies))),
    command: () => ({
      file: program,
      args: ['-host', '127.0.0.1', '-port', String(ports.toxiproxy), '-config', file, '-seed', String(seed)],
      environment: process.env,
    }),
    isReady: () => isOk(`http://127.0.0.1:${ports.toxiproxy}/version`),
    stopSignal: 'SIGTERM',
    stopWithinMs: 5_000,
  };
}

/** Slows down and cuts the links between the processes. */
export class Network {
  constructor(private readonly port: number) {}

  /** Delays everything on these links, in each direction by `latencyMs`, give or take `jitterMs`. */
  slowDown(slowLinks: readonly Link[], latencyMs: number, jitterMs: number): Promise<void> {
    return this.#add(slowLinks, 'latency', { latency: latencyMs, jitter: jitterMs });
  }

  /** Drops everything on these links. As with a pulled cable, no process learns that its connections are dead. */
  cut(cutLinks: readonly Link[]): Promise<void> {
    return this.#add(cutLinks, 'timeout', { timeout: 0 });
  }

  /** Ends all faults of these links. Connections that were cut are closed, because some of their bytes are lost. */
  async heal(healedLinks: readonly Link[]): Promise<void> {
    for (const link of healedLinks)
      for (const stream of streams) await this.#call('DELETE', `/proxies/${link}/toxics/${stream}`);
  }

  async #add(targets: readonly Link[], type: string, attributes: object): Promise<void> {
    for (const link of targets)
      for (const stream of streams)
        await this.#call('POST', `/proxies/${link}/toxics`, { name: stream, type, stream, attributes });
  }

  async #call(method: string, path: string, body?: object): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    if (!response.ok)
      throw new Error(`toxiproxy answered ${response.status} to ${method} ${path}: ${await response.text()}`);
  }
}

const streams = ['upstream', 'downstream'] as const;
