import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataPaths } from '../../dev/stack/data-folder';
import { identify, isRunning, type ProcessIdentity } from '../../dev/stack/process-identity';
import type { Stack } from '../../dev/stack/stack';
import { fakeProcessScript, FakeProcessStack } from './fake-process-stack';

/** A killed process must run again within this time. The stack restarts it at once, but a busy machine takes seconds to start a process. */
const restartsWithinMs = 30_000;
/** After the supervisor dies, the watchdog sends SIGTERM, and five seconds later SIGKILL. On a busy machine, both take longer. */
const endsWithinMs = 30_000;

/** Postgres and Temporal first create their files, which takes long on a busy machine. */
const startsWithinMs = 60_000;

const partNames = ['api', 'inbox', 'postgres', 'temporal', 'worker'];

async function waitFor(limitMs: number, condition: () => boolean): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (!condition()) {
    if (Date.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

const readIdentities = (stack: Stack): ProcessIdentity[] =>
  [...Object.values(stack.pids()), stack.supervisorPid].map((pid) => identify(pid)).filter((one) => one !== undefined);

const acceptsConnections = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(() => resolve(true)));
    socket.once('error', () => resolve(false));
  });

describe('the embedded stack', () => {
  const stacks = new FakeProcessStack();
  let stack: Stack;
  let options: Awaited<ReturnType<FakeProcessStack['options']>>;

  beforeAll(async () => {
    options = await stacks.options();
    stack = await stacks.start(options);
  });
  afterAll(() => stacks.remove());

  it('a stack has one live process for each pid file', () => {
    expect(Object.keys(stack.pids()).toSorted()).toEqual(partNames);
    expect(readIdentities(stack)).toHaveLength(partNames.length + 1);
  });

  it('a stack creates files that other users cannot read, and a folder whose content they cannot list', () => {
    const { dataDir } = options;
    const modeOf = (path: string) => statSync(path).mode & 0o777;
    // As root, the stack runs Postgres as another user, who must enter the folder to reach its own data.
    expect(modeOf(dataDir)).toBe(process.getuid?.() === 0 ? 0o711 : 0o700);
    const readable = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter(
      (path) => (modeOf(join(dataDir, path)) & 0o077) !== 0,
    );
    expect(readable).toEqual([]);
    expect(readdirSync(dataDir)).toEqual(
      expect.arrayContaining(['log', 'postgres', 'run', 'secrets.json', 'temporal.db']),
    );
  });

  it.each(['api', 'worker'] as const)('a stack restarts the %s after a kill -9', async (name) => {
    const killedPid = stack.kill(name);
    expect(await waitFor(restartsWithinMs, () => (stack.pids()[name] ?? killedPid) !== killedPid)).toBe(true);
  });

  it.each(['postgres', 'temporal', 'inbox'] as const)('a stack restarts the %s when it exits', async (name) => {
    const killedPid = stack.kill(name);
    expect(await waitFor(restartsWithinMs, () => (stack.pids()[name] ?? killedPid) !== killedPid)).toBe(true);
  });

  it('a stack stops one part, leaves it stopped, and starts it on request', async () => {
    await stack.stop('temporal');
    await sleep(1_500);
    expect(await acceptsConnections(options.ports.temporal)).toBe(false);
    await stack.start('temporal');
    expect(await acceptsConnections(options.ports.temporal)).toBe(true);
  });

  it('a stack rejects a second start on the same data folder, names the running stack, and does not change it', async () => {
    const otherOptions = await stacks.options();
    for (const attempt of [1, 2]) {
      await expect(stacks.start(otherOptions)).rejects.toThrow(/already runs on .*data/);
      expect([attempt, await acceptsConnections(otherOptions.ports.api)]).toEqual([attempt, false]);
    }
  });

  it('a stack leaves no process and no pid file when it stops', async () => {
    const processesBefore = readIdentities(stack);
    await stack.stopAll();
    expect(processesBefore.filter(isRunning)).toEqual([]);
    expect(stack.pids()).toEqual({});
  });

  it('a stack ends all processes when its supervisor is killed with SIGKILL, and can start again afterwards', async () => {
    stack = await stacks.start(options);
    const processesBefore = readIdentities(stack);
    process.kill(stack.supervisorPid, 'SIGKILL');
    expect(await waitFor(endsWithinMs, () => processesBefore.filter(isRunning).length === 0)).toBe(true);

    stack = await stacks.start(options);
    expect(Object.keys(stack.pids()).toSorted()).toEqual(partNames);
  });

  it('a stack runs beside a second stack with other ports and data', async () => {
    const secondOptions = { ...(await stacks.options()), dataDir: join(stacks.folder, 'beside') };
    const secondStack = await stacks.start(secondOptions);
    expect(await Promise.all([stack, secondStack].map((one) => one.token()))).toEqual(['stand-in', 'stand-in']);
    await secondStack.stopAll();
    expect(readIdentities(stack)).toHaveLength(partNames.length + 1);
  });
});

describe('stacks in sequence', () => {
  const stacks = new FakeProcessStack();
  const readyFile = join(stacks.folder, 'worker-ready');
  const stoppingFile = join(stacks.folder, 'api-stopping');
  let options: Awaited<ReturnType<FakeProcessStack['options']>>;
  let firstStack: Stack;

  beforeAll(async () => {
    options = await stacks.options();
    stacks.writeScript('worker', fakeProcessScript('WORKER_HEALTH_PORT', { readyFile }));
    stacks.writeScript('api', fakeProcessScript('PORT', { stoppingFile, stopMs: 2_000 }));
  });
  afterAll(() => stacks.remove());

  it('a stack starts the API only when the worker is ready', async () => {
    const stackPromise = stacks.start(options);
    const workerPid = dataPaths(options.dataDir).pidFile('worker');
    expect(await waitFor(startsWithinMs, () => existsSync(workerPid))).toBe(true);
    await sleep(1_000);
    expect(await acceptsConnections(options.ports.api)).toBe(false);
    writeFileSync(readyFile, '');
    firstStack = await stackPromise;
    expect(await acceptsConnections(options.ports.api)).toBe(true);
  });

  it('a stack shows why a part is not ready yet, and starts when the part is ready', async () => {
    const otherStacks = new FakeProcessStack();
    const otherOptions = await otherStacks.options();
    const otherReadyFile = join(otherStacks.folder, 'worker-ready');
    const logLine = JSON.stringify({ level: 40, part: 'Temporal', msg: 'There is no namespace nope.\n  create it' });
    const worker = otherStacks.writeScript(
      'worker',
      `${fakeProcessScript('WORKER_HEALTH_PORT', { readyFile: otherReadyFile })}\nconsole.log(${JSON.stringify(logLine)});`,
    );
    const { dataDir } = otherOptions;
    const start = otherStacks.start({ ...otherOptions, scripts: { ...otherOptions.scripts, worker } });
    const shown = `worker is not ready yet: Temporal: There is no namespace nope.\n  create it See ${dataPaths(dataDir).logFile('worker')}`;
    const logFile = dataPaths(dataDir).logFile('supervisor');
    expect(
      await waitFor(startsWithinMs, () => existsSync(logFile) && readFileSync(logFile, 'utf8').includes(shown)),
    ).toBe(true);
    writeFileSync(otherReadyFile, '');
    await start;
    await otherStacks.remove();
  });

  it('a stack waits for an earlier stack that is still stopping', async () => {
    const processesBefore = readIdentities(firstStack);
    const stopPromise = firstStack.stopAll();
    expect(await waitFor(startsWithinMs, () => existsSync(stoppingFile))).toBe(true);
    const secondStack = await stacks.start(options);
    expect(processesBefore.filter(isRunning)).toEqual([]);
    await stopPromise;
    expect(readFileSync(dataPaths(options.dataDir).logFile('supervisor'), 'utf8')).toContain('is still stopping');
    expect(Object.keys(secondStack.pids()).toSorted()).toEqual(partNames);
  });
});

describe('a stack that cannot start', () => {
  const stacks = new FakeProcessStack();
  afterAll(() => stacks.remove());

  it('a start fails before any part starts if a port is in use, and the error names the port and its variable', async () => {
    const options = await stacks.options();
    const { createServer } = await import('node:http');
    const usedPort = createServer().listen(options.ports.inbox, '127.0.0.1');
    await expect(stacks.start(options)).rejects.toThrow(
      new RegExp(`Port ${options.ports.inbox} \\(INBOX_PORT\\) is used`),
    );
    usedPort.close();
    expect(existsSync(join(options.dataDir, 'secrets.json'))).toBe(false);
  });

  it('a start fails if a part reports its port as in use, and the error names the port and its variable', async () => {
    const options = await stacks.options();
    const portInUseScript =
      "throw new Error('listen EADDRINUSE: address already in use 127.0.0.1:' + process.env.INBOX_PORT)";
    await expect(
      stacks.start({
        ...options,
        scripts: { ...options.scripts, inbox: stacks.writeScript('inbox', portInUseScript) },
      }),
    ).rejects.toThrow(new RegExp(`inbox exits before it is ready[^]*Port ${options.ports.inbox} \\(INBOX_PORT\\)`));
  });

  it('a start fails if a part exits before it is ready; the error shows why, and the other parts stop', async () => {
    const options = await stacks.options();
    const worker = stacks.writeScript('worker', 'throw new Error("no such queue")');
    await expect(stacks.start({ ...options, scripts: { ...options.scripts, worker } })).rejects.toThrow(
      /no such queue[\s\S]*worker exits before it is ready/,
    );
    expect(await acceptsConnections(options.ports.temporal)).toBe(false);
  });
});
