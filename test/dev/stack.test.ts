import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataPaths } from '../../dev/stack/data-folder';
import type { Stack, StackOptions } from '../../dev/stack/stack';
import { isRunning } from '../support/is-running';
import { fakeProcessScript, FakeProcessStack } from './fake-process-stack';

/** A killed process must run again within this time. The stack restarts it at once, but a busy machine takes seconds to start a process. */
const restartsWithinMs = 30_000;
/** After the stack dies, its processes are killed at once. Postgres takes up to five seconds, and longer on a busy machine. */
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

const runningPids = (stack: Stack) => Object.values(stack.pids()).filter(isRunning);

const built = join(__dirname, '..', '..', 'dist', 'dev', 'stack', 'stack.js');

/** Starts a stack in a process of its own. Returns the process ids of its parts, and a function that ends this process in some way. */
async function startInProcess(
  options: StackOptions,
): Promise<{ pids: number[]; end: (signal: NodeJS.Signals) => void }> {
  const code = `require(${JSON.stringify(built)}).startStack(${JSON.stringify(options)})
    .then((stack) => console.log(JSON.stringify(Object.values(stack.pids()))));`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { pids: JSON.parse(line) as number[], end: (signal) => void child.kill(signal) };
}

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

  it('a stack has one live process for each part', () => {
    expect(Object.keys(stack.pids()).toSorted()).toEqual(partNames);
    expect(runningPids(stack)).toHaveLength(partNames.length);
  });

  it('a stack creates files that other users cannot read, and a folder whose content they cannot list', () => {
    const { dataDir } = options;
    const modeOf = (path: string) => statSync(path).mode & 0o777;
    expect(modeOf(dataDir)).toBe(0o700);
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

  it('a stack leaves no process when it stops', async () => {
    const pidsBefore = runningPids(stack);
    await stack.stopAll();
    expect(pidsBefore.filter(isRunning)).toEqual([]);
    expect(stack.pids()).toEqual({});
  });

  it.each(['SIGKILL', 'SIGINT'] as const)(
    'all processes of a stack end when its own process ends by %s',
    async (signal) => {
      const { pids, end } = await startInProcess(options);
      expect(pids.filter(isRunning)).toHaveLength(partNames.length);
      end(signal);
      expect(await waitFor(endsWithinMs, () => pids.filter(isRunning).length === 0)).toBe(true);
    },
  );

  it('a stack starts at once after its own process was killed', async () => {
    const { end } = await startInProcess(options);
    end('SIGKILL');
    stack = await stacks.start(options);
    expect(Object.keys(stack.pids()).toSorted()).toEqual(partNames);
  });

  it('a stack runs beside a second stack with other ports and data', async () => {
    const secondOptions = { ...(await stacks.options()), dataDir: join(stacks.folder, 'beside') };
    const secondStack = await stacks.start(secondOptions);
    expect(await Promise.all([stack, secondStack].map((one) => one.token()))).toEqual(['stand-in', 'stand-in']);
    await secondStack.stopAll();
    expect(runningPids(stack)).toHaveLength(partNames.length);
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
    const workerLog = dataPaths(options.dataDir).logFile('worker');
    expect(await waitFor(startsWithinMs, () => existsSync(workerLog))).toBe(true);
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
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    const start = otherStacks.start({ ...otherOptions, print, scripts: { ...otherOptions.scripts, worker } });
    const shown = `worker is not ready yet: Temporal: There is no namespace nope.\n  create it See ${dataPaths(dataDir).logFile('worker')}`;
    expect(await waitFor(startsWithinMs, () => lines.includes(shown))).toBe(true);
    writeFileSync(otherReadyFile, '');
    await start;
    await otherStacks.remove();
  });

  it('a stack waits for an earlier stack that is still stopping', async () => {
    const pidsBefore = runningPids(firstStack);
    const lines: string[] = [];
    const stopPromise = firstStack.stopAll();
    expect(await waitFor(startsWithinMs, () => existsSync(stoppingFile))).toBe(true);
    const secondStack = await stacks.start({ ...options, print: (line) => void lines.push(line) });
    expect(pidsBefore.filter(isRunning)).toEqual([]);
    await stopPromise;
    expect(lines[0]).toContain('is still stopping');
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

  it('a start fails if a part exits before it is ready; the error shows why, and the other parts stop', async () => {
    const options = await stacks.options();
    const worker = stacks.writeScript('worker', 'throw new Error("no such queue")');
    await expect(stacks.start({ ...options, scripts: { ...options.scripts, worker } })).rejects.toThrow(
      /no such queue[\s\S]*worker exits before it is ready/,
    );
    expect(await acceptsConnections(options.ports.temporal)).toBe(false);
  });
});
