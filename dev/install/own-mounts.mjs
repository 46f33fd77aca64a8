import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { CommandError } from './command.mjs';

/** Set in the process that has mounts of its own. */
const marker = 'COUNTERSIGN_OWN_MOUNTS';

/**
 * Runs this script again, with mounts that disappear with its last process, however it ends. Ends with its exit code. Returns false in the
 * process that has such mounts. Throws CommandError if this is not possible.
 */
export async function runWithOwnMounts() {
  if (process.platform !== 'linux' || process.getuid() !== 0)
    throw new CommandError(
      'The cluster needs Linux and root, because it mounts small disks. Use a virtual machine or a container.',
    );
  if (process.env[marker] === 'true') return false;
  const command = ['--mount', '--propagation', 'private', process.execPath, ...process.argv.slice(1)];
  const child = spawn('unshare', command, { stdio: 'inherit', env: { ...process.env, [marker]: 'true' } });
  // Ctrl-C reaches both processes. A signal to this one alone is passed on.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(name, () => (name === 'SIGINT' ? undefined : child.kill(name)));
  process.exitCode = await new Promise((done) => {
    child.once('error', (error) => {
      process.stderr.write(`unshare cannot start: ${error.message}\n`);
      done(1);
    });
    child.once('exit', (code, signal) => done(code ?? 128 + constants.signals[signal]));
  });
  return true;
}
