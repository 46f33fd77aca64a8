import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setPriority } from 'node:os';
import { addressVariable } from './acquire-server';
import { isServerKind, acquireServer, releaseServer, stopServers } from './shared-servers';

async function answer(url: string): Promise<string> {
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  const kind = pathname.slice(1);
  if (!isServerKind(kind)) throw new Error(`There is no server of the kind ${kind}.`);
  const returned = searchParams.get('returned');
  if (returned === null) return acquireServer(kind);
  releaseServer(kind, returned);
  return '';
}

/** Runs once before the first suite. Opens the port where suites, which run in other processes, request servers. */
export default async function setupRun(): Promise<void> {
  // Suites of whole stacks run at the same time, and they check the deadlines of the service.
  // oxlint-disable-next-line node/no-process-env -- the test runner sets it
  if (process.env['LOW_PRIORITY']) setPriority(5);
  const server = createServer((request, response) => {
    // An open connection would keep the test run from ending.
    response.setHeader('connection', 'close');
    answer(request.url ?? '').then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  // oxlint-disable-next-line node/no-process-env -- processes of suites inherit it
  process.env[addressVariable] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void stopServers().finally(() => process.exit(1)));
}
