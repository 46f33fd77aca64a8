import { fork } from 'node:child_process';
import { join } from 'node:path';
import { CommandError, runCommand } from './install/command-error.mjs';
import { prepareStack } from './install/prepare-stack.mjs';
import { root } from './install/root.mjs';
import { watchNpm } from './watch-npm.mjs';

const usage = `Usage: npm start
Installs what is missing, and starts Postgres, Temporal, the inbox, the worker and the API on 127.0.0.1. Ctrl-C stops all of them.
npm start has no options. These environment variables change the defaults: DATA_DIR (default: .data), PORT, INBOX_PORT, TEMPORAL_PORT,
TEMPORAL_UI_PORT, POSTGRES_PORT, and most settings in docs/configuration.md (section "npm start" lists the exceptions).`;

const requestedAtMs = Date.now();
/** Time for the process group of the stack to end. Its watchdog (dev/stack/watchdog.ts) kills the group earlier, after five seconds. */
const groupEndMs = 8_000;
/**
 * One Ctrl-C can arrive as two signals, one from the terminal and one from npm. A second signal within this time is ignored. A later signal
 * means that the user has pressed Ctrl-C again.
 */
const duplicateSignalMs = 500;

/** Whether a process of this group is running. A group has the process id of its leader. */
function isGroupRunning(leaderPid) {
  try {
    process.kill(-leaderPid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Waits until all processes of a killed supervisor have ended, and kills them if they take too long. So this command never ends before
 * them.
 */
async function waitForGroup(leaderPid) {
  const deadline = Date.now() + groupEndMs;
  while (isGroupRunning(leaderPid)) {
    if (Date.now() > deadline) {
      process.kill(-leaderPid, 'SIGKILL');
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function supervise() {
  const supervisor = fork(join(root, 'dev', 'supervisor.mjs'), [], { detached: true, stdio: 'inherit' });
  const send = (message) => supervisor.connected && supervisor.send(message);
  let stopRequestedAt;
  const stop = () => {
    if (stopRequestedAt === undefined) {
      stopRequestedAt = Date.now();
      process.stdout.write('\nStopping … (press Ctrl-C again to kill all processes)\n');
      send({ type: 'stop' });
    } else if (Date.now() - stopRequestedAt > duplicateSignalMs) send({ type: 'killNow' });
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, stop);
  // If npm was killed, the stack stops too.
  watchNpm(() => stopRequestedAt ?? stop());
  process.stdout.on('error', () => undefined);
  supervisor.on('message', (message) => {
    if (message.type === 'failed') process.stderr.write(`${message.message}\n`);
  });
  supervisor.once('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.stderr.write(`The supervisor was killed (${signal}). Stopping its processes.\n`);
    void waitForGroup(supervisor.pid).then(() => process.exit(1));
  });
  send({ type: 'start', requestedAtMs });
}

await runCommand(async () => {
  const [argument] = process.argv.slice(2);
  if (argument === '--help' || argument === '-h') {
    process.stdout.write(`${usage}\n`);
    return;
  }
  if (argument !== undefined) throw new CommandError(`There is no option ${argument}.\n${usage}`);
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new CommandError(`Node ${process.versions.node} is too old. Install Node 20.19 or newer.`);
  }
  await prepareStack();
  supervise();
});
