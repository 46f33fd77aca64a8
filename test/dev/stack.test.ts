import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolder } from '../../dev/stack/data-folder';
import { identify, isRunning, type ProcessIdentity } from '../../dev/stack/process-identity';
import type { Stack } from '../../dev/stack/stack';
import { standIn, StandInStack } from './stand-in-stack';

/** A killed API or worker must run again within this time. */
const restartsWithinMs = 1_000;
/** The watchdog sends SIGTERM, waits five seconds, then kills. */
const endsWithinMs = 8_000;

/** Postgres and Temporal create their files first; a busy machine takes a while. */
const startsWithinMs = 60_000;

const allNames = ['api', 'inbox', 'postgres', 'temporal', 'worker'];

async function within(limitMs: number, condition: () => boolean): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (!condition()) {
    if (Date.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

const identities = (stack: Stack): ProcessIdentity[] =>
  [...Object.values(stack.pids()), stack.supervisorPid].map((pid) => identify(pid)).filter((one) => one !== undefined);

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(() => resolve(true)));
    socket.once('error', () => resolve(false));
  });

describe('the embedded stack', () => {
  const standIns = new StandInStack();
  let stack: Stack;
  let options: Awaited<ReturnType<StandInStack['options']>>;

  beforeAll(async () => {
    options = await standIns.options();
    stack = await standIns.start(options);
  });
  afterAll(() => standIns.remove());

  it('has one live process for each pid file', () => {
    expect(Object.keys(stack.pids()).toSorted()).toEqual(allNames);
    expect(identities(stack)).toHaveLength(allNames.length + 1);
  });

  it.each(['api', 'worker'] as const)('restarts the %s within a second of a kill -9', async (name) => {
    const killed = stack.kill(name);
    expect(await within(restartsWithinMs, () => (stack.pids()[name] ?? killed) !== killed)).toBe(true);
  });

  it.each(['postgres', 'temporal', 'inbox'] as const)('restarts the %s when it exits', async (name) => {
    const killed = stack.kill(name);
    expect(await within(5_000, () => (stack.pids()[name] ?? killed) !== killed)).toBe(true);
  });

  it('stops one part, leaves it stopped, and starts it on request', async () => {
    await stack.stop('temporal');
    await sleep(1_500);
    expect(await accepts(options.ports.temporal)).toBe(false);
    await stack.start('temporal');
    expect(await accepts(options.ports.temporal)).toBe(true);
  });

  it('rejects a second start on the same data folder, names the running stack, and does not change it', async () => {
    const other = await standIns.options();
    for (const start of [1, 2]) {
      await expect(standIns.start(other)).rejects.toThrow(/already runs on .*data/);
      expect([start, await accepts(other.ports.api)]).toEqual([start, false]);
    }
  });

  it('leaves no process and no pid file when it stops', async () => {
    const before = identities(stack);
    await stack.stopAll();
    expect(before.filter(isRunning)).toEqual([]);
    expect(stack.pids()).toEqual({});
  });

  it('ends everything when its supervisor is killed -9, and can start again afterwards', async () => {
    stack = await standIns.start(options);
    const before = identities(stack);
    process.kill(stack.supervisorPid, 'SIGKILL');
    expect(await within(endsWithinMs, () => before.filter(isRunning).length === 0)).toBe(true);

    stack = await standIns.start(options);
    expect(Object.keys(stack.pids()).toSorted()).toEqual(allNames);
  });

  it('runs beside a second stack with other ports and data', async () => {
    const secondOptions = { ...(await standIns.options()), dataDir: join(standIns.folder, 'beside') };
    const second = await standIns.start(secondOptions);
    expect(await Promise.all([stack, second].map((one) => one.token()))).toEqual(['stand-in', 'stand-in']);
    await second.stopAll();
    expect(identities(stack)).toHaveLength(allNames.length + 1);
  });
});

describe('stacks in sequence', () => {
  const standIns = new StandInStack();
  const readyFile = join(standIns.folder, 'worker-ready');
  const stoppingFile = join(standIns.folder, 'api-stopping');
  let options: Awaited<ReturnType<StandInStack['options']>>;
  let first: Stack;

  beforeAll(async () => {
    options = await standIns.options();
    standIns.script('worker', standIn('WORKER_HEALTH_PORT', { readyFile }));
    standIns.script('api', standIn('PORT', { stoppingFile, stopMs: 2_000 }));
  });
  afterAll(() => standIns.remove());

  it('start the API only when the worker is ready', async () => {
    const starting = standIns.start(options);
    const workerPid = dataFolder(options.dataDir).pidFile('worker');
    expect(await within(startsWithinMs, () => existsSync(workerPid))).toBe(true);
    await sleep(1_000);
    expect(await accepts(options.ports.api)).toBe(false);
    writeFileSync(readyFile, '');
    first = await starting;
    expect(await accepts(options.ports.api)).toBe(true);
  });

  it('wait for an earlier stack that is still stopping', async () => {
    const before = identities(first);
    const stopped = first.stopAll();
    expect(await within(startsWithinMs, () => existsSync(stoppingFile))).toBe(true);
    const second = await standIns.start(options);
    expect(before.filter(isRunning)).toEqual([]);
    await stopped;
    expect(readFileSync(dataFolder(options.dataDir).logFile('supervisor'), 'utf8')).toContain('is still stopping');
    expect(Object.keys(second.pids()).toSorted()).toEqual(allNames);
  });
});

describe('a stack that cannot start', () => {
  const standIns = new StandInStack();
  afterAll(() => standIns.remove());

  it('names the port in use and its variable, before anything starts', async () => {
    const options = await standIns.options();
    const { createServer } = await import('node:http');
    const usedPort = createServer().listen(options.ports.inbox, '127.0.0.1');
    await expect(standIns.start(options)).rejects.toThrow(
      new RegExp(`Port ${options.ports.inbox} \\(INBOX_PORT\\) is used`),
    );
    usedPort.close();
    expect(existsSync(join(options.dataDir, 'secrets.json'))).toBe(false);
  });

  it('names the port and its variable when only one part finds it in use', async () => {
    const options = await standIns.options();
    const usedPort = "throw new Error('listen EADDRINUSE: address already in use 127.0.0.1:' + process.env.INBOX_PORT)";
    await expect(
      standIns.start({ ...options, scripts: { ...options.scripts, inbox: standIns.script('inbox', usedPort) } }),
    ).rejects.toThrow(new RegExp(`inbox exits before it is ready[^]*Port ${options.ports.inbox} \\(INBOX_PORT\\)`));
  });

  it('shows why a part exits before it is ready, and stops the rest', async () => {
    const options = await standIns.options();
    const worker = standIns.script('worker', 'throw new Error("no such queue")');
    await expect(standIns.start({ ...options, scripts: { ...options.scripts, worker } })).rejects.toThrow(
      /no such queue[\s\S]*worker exits before it is ready/,
    );
    expect(await accepts(options.ports.temporal)).toBe(false);
  });
});
