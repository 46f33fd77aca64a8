import { spawn } from 'node:child_process';

const runningPrograms = new Set();
const exit = () => process.exit(1);
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
// When this process ends, for example after an error or Ctrl-C, this kills the programs that still run.
process.on('exit', () => {
  for (const child of runningPrograms) child.kill();
});

/**
 * Runs a program. Returns { code, output }: its exit code and what it printed. Never throws: if the program cannot start, the code is 127,
 * and `output` is the reason. A program that runs longer than `timeoutMs` is killed. With `show`, the terminal shows the error output of
 * the program, and `output` is empty. The program is killed when this process ends.
 */
export function runProgram(file, args, { cwd, env, timeoutMs, show = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: show ? ['ignore', 'ignore', 'inherit'] : ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    if (runningPrograms.size === 0) for (const signal of signals) process.on(signal, exit);
    runningPrograms.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('close', (code) => {
      runningPrograms.delete(child);
      if (runningPrograms.size === 0) for (const signal of signals) process.off(signal, exit);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Runs npm. If npm started this script, runs the same npm. */
export function runNpm(args, options) {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js')
    ? runProgram(process.execPath, [script, ...args], options)
    : runProgram('npm', args, options);
}

/** The last lines of an output, for error messages. */
export const lastLines = (output, count) => output.trim().split('\n').slice(-count).join('\n');
