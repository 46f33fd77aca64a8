import { readFileSync } from 'node:fs';

/** How often the process checks whether npm has ended. */
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

/** The id of the parent process, as text. If the parent process is a shell that npm has started, also the id of npm. */
function readAncestors() {
  const parent = readProcess(process.ppid);
  return [process.ppid, parent && /sh$/.test(parent.name) ? parent.parent : undefined].join();
}

/**
 * Calls `onNpmEnd` when npm, which has started this script, has ended. This is necessary, because Ctrl-C no longer reaches
 * the script after the end of npm. Does nothing if the script was started without npm.
 */
export function watchNpm(onNpmEnd) {
  if (!process.env.npm_lifecycle_event) return;
  const initialAncestors = readAncestors();
  const timer = setInterval(() => {
    if (readAncestors() === initialAncestors) return;
    clearInterval(timer);
    onNpmEnd();
  }, pollMs);
  timer.unref();
}
