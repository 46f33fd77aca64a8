import { startBrowser } from './start-browser';
import { startDatabaseServer } from './start-database';
import type { TestServer } from './start-program';
import { startDevServer, startSkippingServer } from './start-temporal';

const starts = {
  postgres: startDatabaseServer,
  temporal: startDevServer,
  skipping: startSkippingServer,
  browser: () => startBrowser(),
  'browser-allowed': () => startBrowser('allowed'),
  'browser-refused': () => startBrowser('refused'),
} satisfies Record<string, () => Promise<TestServer>>;

export type ServerKind = keyof typeof starts;

/**
 * One of each for the whole test run: suites use their own databases and task queues. Other kinds serve one suite at a
 * time, because a time-skipping server has one clock, and pages of two suites would compete for the focus.
 */
const sharedKinds: ReadonlySet<ServerKind> = new Set(['postgres', 'temporal']);

const started: Promise<TestServer>[] = [];
const shared = new Map<ServerKind, Promise<TestServer>>();
const free = new Map<ServerKind, string[]>();

export const isServerKind = (name: string): name is ServerKind => Object.hasOwn(starts, name);

function start(kind: ServerKind): Promise<TestServer> {
  const server = starts[kind]();
  started.push(server);
  return server;
}

/**
 * Returns the address of a free server, or starts one. A server that is not shared is exclusive until it is released.
 */
export async function acquireServer(kind: ServerKind): Promise<string> {
  const address = free.get(kind)?.pop();
  if (address !== undefined) return address;
  const server = shared.get(kind) ?? start(kind);
  if (sharedKinds.has(kind)) shared.set(kind, server);
  return (await server).address;
}

export function releaseServer(kind: ServerKind, address: string): void {
  if (!sharedKinds.has(kind)) free.set(kind, [...(free.get(kind) ?? []), address]);
}

/** Stops every started server, including those that are not ready yet. */
export async function stopServers(): Promise<void> {
  const stopping = started.splice(0).map((starting) => starting.then((server) => server.stop()));
  await Promise.allSettled(stopping);
}
