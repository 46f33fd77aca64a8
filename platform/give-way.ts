import { execFileSync } from 'node:child_process';
import os from 'node:os';

/**
 * Leaves the cores to whoever else wants them: where the system can (Linux), this process gets what nobody else takes,
 * elsewhere the least share. Threads to come inherit it.
 */
export function giveWay(): void {
  try {
    execFileSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(process.pid)], { stdio: 'ignore' });
  } catch {
    os.setPriority(os.constants.priority.PRIORITY_LOW);
  }
}
