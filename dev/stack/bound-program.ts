import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

// A shell starts a guard in the background, and becomes the program itself. Nobody but the parent process holds the other end of pipe 3.
// So when the parent process ends in any way, even by kill -9, the pipe closes, and the guard kills the program. When the program ends
// first, the guard reads a line instead and kills nothing. Ctrl-C and the end of a terminal reach all processes of a terminal, but must
// not end the guard, which ignores them from its first moment on. Only this user can read the files that the program creates.
const script = `
signal=$1
shift
umask 077
trap '' INT TERM HUP
{ read -r line || kill -"$signal" $$; } <&3 >/dev/null 2>&1 &
trap - INT TERM HUP
exec "$@" 3<&-
`;

export interface BoundProgramOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** A file descriptor for the output and the errors of the program. By default, nobody reads them. */
  output?: number | 'ignore';
  /** How the program ends with its parent. Postgres needs QUIT to remove its shared memory. */
  endSignal?: 'KILL' | 'QUIT';
  /** Whether the program is out of reach of the terminal, so that Ctrl-C does not end it. */
  detached?: boolean;
}

/**
 * Starts a program that cannot outlive this process, in whatever way this process ends. The process id and the exit code are those of the
 * program. If the program does not exist, the exit code is 127.
 */
export function spawnBound(
  file: string,
  args: readonly string[],
  { output = 'ignore', endSignal = 'KILL', ...options }: BoundProgramOptions = {},
): ChildProcess {
  const shellArgs = ['-c', script, 'countersign-guard', endSignal, file, ...args];
  const program = spawn('/bin/sh', shellArgs, { ...options, stdio: ['ignore', output, output, 'pipe'] });
  const pipe = program.stdio[3] as Socket;
  pipe.on('error', () => undefined).resume();
  pipe.unref();
  return program.once('exit', () => pipe.end('ended\n'));
}
