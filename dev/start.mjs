import { fork } from 'node:child_process';
import { join } from 'node:path';
import { CommandError, runCommand } from './install/command-error.mjs';
import { prepareStack } from './install/prepare-stack.mjs';
import { root } from './install/root.mjs';
import { watchNpm } from './watch-npm.mjs';

const askedAtMs = Date.now();
/** The watchdog of the stack ends everything within five seconds of the supervisor's death. */
const groupGoneWithinMs = 8_000;
/** One Ctrl-C can arrive twice, from the terminal and from npm; a person who means it needs longer for the second. */
const echoMs = 500;

function groupLives(leader) {
  try {
    process.kill(-leader, 0);
    return true;
  } catch {
    return false;
  }
}

/** After the supervisor was killed: waits until its parts are gone too, so that this command never ends before them. */
async function waitForGroup(leader) {
  const deadline = Date.now() + groupGoneWithinMs;
  while (groupLives(leader)) {
    if (Date.now() > deadline) {
      process.kill(-leader, 'SIGKILL');
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function supervise() {
  const supervisor = fork(join(root, 'dev', 'supervisor.mjs'), [], { detached: true, stdio: 'inherit' });
  const send = (message) => supervisor.connected && supervisor.send(message);
  let askedAt;
  const stop = () => {
    if (askedAt === undefined) {
      askedAt = Date.now();
      process.stdout.write('\nStopping (once more to stop at once) …\n');
      send({ type: 'stop' });
    } else if (Date.now() - askedAt > echoMs) send({ type: 'killNow' });
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, stop);
  watchNpm(() => askedAt ?? stop());
  process.stdout.on('error', () => undefined);
  supervisor.on('message', (message) => {
    if (message.type === 'failed') process.stderr.write(`${message.message}\n`);
  });
  supervisor.once('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.stderr.write(`The supervisor was ended by ${signal}; ending what it had started.\n`);
    void waitForGroup(supervisor.pid).then(() => process.exit(1));
  });
  send({ type: 'start', askedAtMs });
}

await runCommand(async () => {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new CommandError(`Node ${process.versions.node} is too old: install Node 20.19 or newer.`);
  }
  await prepareStack();
  supervise();
});
