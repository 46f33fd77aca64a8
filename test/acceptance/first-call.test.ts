import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requestToken } from '../../dev/stack/request-token';
import { type Stack, startStack } from '../../dev/stack/stack';
import { findFreePorts, root } from './support/test-stack';
import { newPerson } from './support/new-person';
import { waitUntil } from '../support/wait-until';

/** The first start creates two databases, which is slow on a busy machine. */
const readyWithinMs = 120_000;
/** How long the test delays the start of the worker, as a busy machine would. */
const workerDelayMs = 5_000;

const folder = mkdtempSync(join(tmpdir(), 'countersign-first-call-'));
let stackPromise: Promise<Stack>;

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(root, 'dev', 'build.mjs')], { cwd: root });
});

afterAll(async () => {
  await (await stackPromise).stopAll();
  rmSync(folder, { recursive: true, force: true });
});

test('a new local stack serves requests as soon as it is ready', async () => {
  const worker = join(folder, 'worker.js');
  const program = JSON.stringify(join(root, 'dist', 'worker', 'main.js'));
  writeFileSync(worker, `setTimeout(() => require(${program}), ${workerDelayMs});`);
  const [ports, dataDir] = [await findFreePorts(), join(folder, 'data')];
  stackPromise = startStack({ dataDir, ports, scripts: { worker } });
  stackPromise.catch(() => undefined);

  const address = `http://127.0.0.1:${ports.api}`;
  const isReady = () =>
    fetch(`${address}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitUntil(isReady, readyWithinMs);
  const authorization = `Bearer ${await requestToken({ dataDir, port: ports.api })}`;
  const post = (path: string, body?: object) =>
    fetch(`${address}/v1/transaction${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const createResponse = await post('', newPerson().body);
  const { id } = (await createResponse.json()) as { id: string };
  const sendResponse = await post(`/${id}/sms/tokens`);
  expect([createResponse.status, sendResponse.status]).toEqual([201, 201]);
});
