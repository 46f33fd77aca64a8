import { type ChildProcess, spawn } from 'node:child_process';

// A shell that waits for the end of its input, which comes when the supervisor ends in any way, kill -9 included, and
// then ends the supervisor's process group: politely, and after five seconds not. It runs in a group of its own and
// takes the pid files away, except those that the next start has written meanwhile.
const script = `
while read -r line; do :; done
kill -TERM -"$1" 2>/dev/null
tries=0
while kill -0 -"$1" 2>/dev/null && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
kill -KILL -"$1" 2>/dev/null
for file in "$2"/*.pid; do kill -0 "$(cat "$file")" 2>/dev/null || rm -f "$file"; done
`;

export interface Watchdog {
  /** Ends the watch. Call it when nothing is left to be ended. */
  dismiss(): void;
}

/** Watches over this process: when it vanishes, every process of its group is ended. Must be the leader of its group. */
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
      // Somebody killed the watchdog: while this process lives it has one.
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
