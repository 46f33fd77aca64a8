import { type ChildProcess, spawn } from 'node:child_process';

// A shell in its own process group. Its input closes when the supervisor ends in any way, even by kill -9. It then stops the
// supervisor's process group, kills it after five seconds, and removes the pid files, except those of a newer start.
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
  dismiss(): void;
}

/** Watches this process, the leader of its group: when it ends, all processes of the group are stopped. */
export function startWatchdog(runDir: string): Watchdog {
  if (process.platform === 'win32') return { dismiss: () => undefined };
  let dismissed = false;
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
      if (!dismissed) setTimeout(start, 200);
    });
  };
  start();
  return {
    dismiss: () => {
      dismissed = true;
      shell.kill('SIGKILL');
    },
  };
}
