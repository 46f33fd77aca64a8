import { type ChildProcess, spawn } from 'node:child_process';

// A shell runs this script. The shell is not in the process group of the supervisor, so it can outlive this group. When the supervisor ends
// in any way, even by kill -9, the input of the shell closes. The shell then stops the process group of the supervisor. If the group still
// runs after five seconds, the shell kills the group. At the end, the shell removes the pid files of processes that have ended.
const script = `
while read -r line; do :; done
kill -TERM -"$1" 2>/dev/null
tries=0
while kill -0 -"$1" 2>/dev/null && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -KILL -"$1" 2>/dev/null
for file in "$2"/*.pid; do kill -0 "$(cat "$file")" 2>/dev/null || rm -f "$file"; done
`;

export interface Watchdog {
  /** Stops the watchdog. Call it when all processes have ended. */
  stop(): void;
}

/** Watches this process, which leads a process group. When this process ends, the watchdog stops the whole group. */
export function startWatchdog(runDir: string): Watchdog {
  if (process.platform === 'win32') return { stop: () => undefined };
  let isStopped = false;
  let shell: ChildProcess;
  const start = () => {
    shell = spawn('/bin/sh', ['-c', script, 'countersign-watchdog', String(process.pid), runDir], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    shell.on('error', () => undefined);
    shell.stdin?.on('error', () => undefined);
    shell.once('exit', () => {
      // The watchdog was killed: start another one.
      if (!isStopped) setTimeout(start, 200);
    });
  };
  start();
  return {
    stop: () => {
      isStopped = true;
      shell.kill('SIGKILL');
    },
  };
}
