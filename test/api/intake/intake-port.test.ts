import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { findFreePort } from '../../../dev/stack/free-port';
import { LogLines } from '../../support/log-lines';

/** The intake as the API starts it, on a port of its own; its database is away. */
const script = path.join(__dirname, '..', '..', '..', 'dist', 'api', 'intake', 'main.js');

const started: ChildProcess[] = [];
function start(port: number): { child: ChildProcess; lines: LogLines } {
  const env = {
    ...process.env,
    DATABASE_URL: 'postgres://nobody:nothing@127.0.0.1:1/none',
    SERVICE_KEY: Buffer.alloc(32, 7).toString('base64'),
    TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000000',
    TWILIO_AUTH_TOKEN: 'only-for-tests',
    INTAKE_PORT: String(port),
  };
  const child = fork(script, { env, silent: true, execArgv: ['--expose-gc'] });
  started.push(child);
  const lines = new LogLines();
  child.stdout?.pipe(lines.stream);
  return { child, lines };
}
afterAll(() => started.forEach((child) => child.kill()));

let taken: Server;
beforeAll(async () => {
  taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
});
afterAll(() => taken.close());

test('a port that is taken is told in one line with its reason, and the process ends', async () => {
  const { port } = taken.address() as AddressInfo;
  const { child, lines } = start(port);
  // Both streams are read to their end.
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(lines.all).toEqual([expect.objectContaining({ process: 'intake', failure: 'EADDRINUSE', port })]);
});

test('its port tells of its health, and points to no documents that it has not', async () => {
  const port = await findFreePort();
  const { child } = start(port);
  await once(child, 'message');
  const ask = (where: string) => fetch(`http://127.0.0.1:${port}${where}`);
  expect((await ask('/health/live')).status).toBe(200);
  expect((await ask('/health/ready')).status).toBe(503);
  const nowhere = await ask('/v1/transaction');
  expect(await nowhere.json()).toMatchObject({
    status: 404,
    code: 'not_found',
    detail: expect.not.stringContaining('/docs'),
  });
});
