import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import { answerErrors } from '../../../api/http/answer-problem';
import { type Intake, startIntake } from '../../../api/intake/intake-process';
import { createLogger } from '../../../platform/logger';
import { LogLines } from '../../support/log-lines';

/** An intake that says what it was sent; it refuses long bodies unread, ends at `/die`, and breaks off at `/break`. */
const script = `
const server = require('node:http').createServer((request, response) => {
  if (request.url === '/die') process.exit(1);
  if (request.url === '/break') {
    response.writeHead(200, { 'content-length': '100' });
    return response.write('half', () => setTimeout(() => response.destroy(), 50));
  }
  if (Number(request.headers['content-length']) > 1000) {
    return response.writeHead(413, { 'content-type': 'text/plain' }).end('too long');
  }
  let bytes = 0;
  request.on('data', (chunk) => (bytes += chunk.length));
  request.on('end', () => response.writeHead(201, { 'x-of': 'intake', 'content-type': 'application/json' })
    .end(JSON.stringify({ bytes, pid: process.pid, method: request.method, url: request.url,
      cookie: request.headers.cookie, id: request.headers['x-request-id'] })));
});
// Late enough to be asked before.
setTimeout(() => server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port })), 500);
process.on('disconnect', () => process.exit(0));
`;

let folder: string;
let intake: Intake;
let address: string;
let close: () => void;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'countersign-intake-'));
  writeFileSync(path.join(folder, 'script.js'), script);
  const logger = createLogger('test', 'silent');
  intake = startIntake(logger, path.join(folder, 'script.js'));
  const app = express();
  app.use((_request, response, next) => {
    response.locals['traceId'] = 'trace-of-main';
    next();
  });
  app.use((request, response) => intake.passOn(request, response));
  app.use(answerErrors(logger, 'https://verify.example.com'));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => {
    server.closeAllConnections();
    server.close();
  };
});
afterAll(() => {
  intake.stop();
  close();
  rmSync(folder, { recursive: true });
});

const post = (url: string, body = 'x', headers = {}) => fetch(`${address}${url}`, { method: 'POST', body, headers });

async function whenThere(): Promise<{ pid: number }> {
  for (;;) {
    const answer = await post('/ready');
    if (answer.status === 201) return (await answer.json()) as { pid: number };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('while it is not there, the answer is 503, and afterwards its own', async () => {
  expect((await post('/early')).status).toBe(503);
  await whenThere();
  const answer = await post('/a/b?c', 'x'.repeat(900), { cookie: 'c=1' });
  expect([answer.status, answer.headers.get('x-of')]).toEqual([201, 'intake']);
  expect(await answer.json()).toMatchObject({
    bytes: 900,
    method: 'POST',
    url: '/a/b?c',
    cookie: 'c=1',
    id: 'trace-of-main',
  });
});

test('a refusal that came before the body was read arrives whole', async () => {
  await whenThere();
  const answer = await post('/long', 'x'.repeat(2_000_000));
  expect([answer.status, await answer.text()]).toEqual([413, 'too long']);
});

test('an answer that breaks off does not look whole', async () => {
  await whenThere();
  await expect(post('/break').then((answer) => answer.text())).rejects.toThrow(/terminated|aborted|closed|failed/);
});

test('one that dies is told as 503, and is started again', async () => {
  const { pid } = await whenThere();
  const answer = await post('/die');
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: 'service_unavailable' });
  expect((await whenThere()).pid).not.toBe(pid);
});

describe('in the log of the API', () => {
  const logged = async (source: string, until: (lines: LogLines) => boolean) => {
    const lines = new LogLines();
    const file = path.join(folder, 'other.js');
    writeFileSync(file, source);
    const other = startIntake(createLogger('test', 'info', lines.stream), file);
    while (!until(lines)) await new Promise((resolve) => setTimeout(resolve, 20));
    return { lines, other };
  };

  test('one that ends at once is told with its exit code, and waits longer each time', async () => {
    const { lines, other } = await logged('process.exit(3)', ({ all }) => all.length === 2);
    other.stop();
    expect(lines.all).toEqual([
      expect.objectContaining({ exitCode: 3, signal: null, againInMs: 1_000 }),
      expect.objectContaining({ exitCode: 3, signal: null, againInMs: 2_000 }),
    ]);
    expect(await other.upWithin(10)).toBe(false);
  });

  test('one that is there is told with its port', async () => {
    const { lines, other } = await logged(script, ({ all }) => all.length === 1);
    expect(await other.upWithin(0)).toBe(true);
    other.stop();
    expect(lines.all).toEqual([
      expect.objectContaining({ msg: 'the intake of images listens', port: expect.any(Number) }),
    ]);
  });
});
