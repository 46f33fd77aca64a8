import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';

/** A tenth of what another session gets (sched(7), autogroup): on a machine that is full, uploads still come through. */
const smallShare = '10';

/** Between sessions, Linux shares the cores before it looks at their processes. One that others are in keeps its share. */
function giveSessionsWay(): void {
  try {
    // The fields behind the name of the program, which may hold spaces: state, parent, group, session.
    const session = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ')[3];
    if (session === String(process.pid)) writeFileSync('/proc/self/autogroup', smallShare);
  } catch {
    // Not Linux, or a Linux that shares between processes alone.
  }
}

/**
 * Leaves the cores to whoever else wants them: where the system can (Linux), this process gets what nobody else takes,
 * elsewhere the least share. Threads to come inherit it.
 */
export function giveWay(): void {
  giveSessionsWay();
  try {
    execFileSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(process.pid)], { stdio: 'ignore' });
  } catch {
    os.setPriority(os.constants.priority.PRIORITY_LOW);
  }
}
