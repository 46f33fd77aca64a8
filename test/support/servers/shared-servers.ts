import { startBrowser } from './start-browser';
import { startDatabaseServer } from './start-database';
import type { RunningProgram } from '../../../dev/stack/start-program';
import { startDevServer, startSkippingServer } from './start-temporal';

/**
 * After this many events, the server `temporal-short` suggests that the workflow continues with an empty history (continue-as-new). Only a
 * test of long histories has so many events.
 */
const shortHistoryEvents = 150;

const startFunctions = {
  postgres: startDatabaseServer,
  temporal: () => startDevServer(),
  'temporal-short': () => startDevServer(shortHistoryEvents),
  skipping: startSkippingServer,
  shell: () => startBrowser('shell'),
  'shell-allowed': () => startBrowser('shell', 'allowed'),
  chromium: () => startBrowser('chromium'),
  'chromium-allowed': () => startBrowser('chromium', 'allowed'),
  'chromium-refused': () => startBrowser('chromium', 'refused'),
} satisfies Record<string, () => Promise<RunningProgram>>;

export type ServerKind = keyof typeof startFunctions;

/**
 * All suites share one server of these kinds, where each suite has its own databases and task queues. Other servers serve one suite at a
 * time: a time-skipping server has only one clock, and in a browser, pages of two suites compete for the focus.
 */
const sharedKinds: ReadonlySet<ServerKind> = new Set(['postgres', 'temporal', 'temporal-short']);

const startedServers: Promise<RunningProgram>[] = [];
const sharedServers = new Map<ServerKind, Promise<RunningProgram>>();
const freeAddresses = new Map<ServerKind, string[]>();

export const isServerKind = (name: string): name is ServerKind => Object.hasOwn(startFunctions, name);

function start(kind: ServerKind): Promise<RunningProgram> {
  const server = startFunctions[kind]();
  startedServers.push(server);
  return server;
}

/** Starts a server if none is free. A server that is not shared is taken until it is released. */
export async function acquireAddress(kind: ServerKind): Promise<string> {
  const address = freeAddresses.get(kind)?.pop();
  if (address !== undefined) return address;
  const server = sharedServers.get(kind) ?? start(kind);
  if (sharedKinds.has(kind)) sharedServers.set(kind, server);
  return (await server).address;
}

/** Does nothing for a shared server, because every suite can always use it. */
export function releaseServer(kind: ServerKind, address: string): void {
  if (!sharedKinds.has(kind)) freeAddresses.set(kind, [...(freeAddresses.get(kind) ?? []), address]);
}

/** Also stops servers that are not ready yet. */
export async function stopServers(): Promise<void> {
  const stopping = startedServers.splice(0).map((starting) => starting.then((server) => server.stop()));
  await Promise.allSettled(stopping);
}
