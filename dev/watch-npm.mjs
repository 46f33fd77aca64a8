import { readFileSync } from 'node:fs';

/** How soon the stack stops after npm was killed. */
const pollMs = 500;

/** Name and parent of a process; undefined when it has ended, or on a system without /proc. */
function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return { name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')), parent };
  } catch {
    return undefined;
  }
}

/** The parent process, and its parent when the parent is the shell of npm. */
function readAncestors() {
  const parent = readProcess(process.ppid);
  return [process.ppid, parent && /sh$/.test(parent.name) ? parent.parent : undefined].join();
}

/**
 * Calls back when the npm that runs this script was killed: Ctrl-C then no longer reaches the script. Without npm, nothing is
 * watched.
 */
export function watchNpm(onGone) {
  if (!process.env.npm_lifecycle_event) return;
  const before = readAncestors();
  const timer = setInterval(() => {
    if (readAncestors() === before) return;
    clearInterval(timer);
    onGone();
  }, pollMs);
  timer.unref();
}
