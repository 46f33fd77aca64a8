import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setPriority } from 'node:os';
import { addressVariable } from './acquire-server';
import { isServerKind, acquireAddress, releaseServer, stopServers } from './shared-servers';

/** `/KIND` requests the address of a server, and `/KIND?returned=ADDRESS` gives a server back. */
async function handleRequest(url: string): Promise<string> {
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  const kind = pathname.slice(1);
  if (!isServerKind(kind)) throw new Error(`There is no server of the kind ${kind}.`);
  const returnedAddress = searchParams.get('returned');
  if (returnedAddress === null) return acquireAddress(kind);
  releaseServer(kind, returnedAddress);
  return '';
}

/** Runs once before the first suite. Suites run in other processes, and request servers at the opened port. */
export default async function setupRun(): Promise<void> {
  // LOW_PRIORITY is set if another test run checks deadlines at the same time.
  // oxlint-disable-next-line node/no-process-env -- the test runner sets it
  if (process.env['LOW_PRIORITY']) setPriority(5);
  const server = createServer((request, response) => {
    // An open connection would keep the test run from ending.
    response.setHeader('connection', 'close');
    handleRequest(request.url ?? '').then(
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
