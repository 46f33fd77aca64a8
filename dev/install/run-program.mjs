import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const runningPrograms = new Set();

const exit = () => process.exit(1);
// When this process ends, for example after an error or Ctrl-C, this kills the programs that still run.
process.on('exit', () => {
  for (const child of runningPrograms) child.kill();
});

/** Kills a program when this process ends. */
function killOnExit(child) {
  if (runningPrograms.size === 0) for (const signal of signals) process.on(signal, exit);
  runningPrograms.add(child);
  child.once('close', () => {
    runningPrograms.delete(child);
    if (runningPrograms.size === 0) for (const signal of signals) process.off(signal, exit);
  });
}

/**
 * Runs a program. Returns { code, output }: its exit code and what it printed. Never throws: if the program cannot start, the code is 127,
 * and `output` is the reason. A program that runs longer than `timeoutMs` is killed. With `show`, the terminal shows the error output of
 * the program, and `output` is empty.
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
    killOnExit(child);
    let output = '';
    const collect = (chunk) => {
      output += chunk;
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/**
 * Runs a program with the input and output of this process, and returns its exit code. Hides the lines of the program's
 * error output that match `pattern`.
 */
export function runHidingErrorLines(pattern, file, args, env) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ['inherit', 'inherit', 'pipe'] });
    killOnExit(child);
    const lines = createInterface({ input: child.stderr, crlfDelay: Infinity });
    lines.on('line', (line) => {
      if (!pattern.test(line)) process.stderr.write(`${line}\n`);
    });
    child.once('error', () => resolve(127));
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** Runs npm. If npm started this script, runs the same npm. */
export function runNpm(args, options) {
  const script = process.env.npm_execpath;
  if (script?.endsWith('.js')) return runProgram(process.execPath, [script, ...args], options);
  return process.platform === 'win32'
    ? runProgram('cmd.exe', ['/d', '/s', '/c', 'npm', ...args], options)
    : runProgram('npm', args, options);
}

/** The last lines of an output, for error messages. */
export const lastLines = (output, count) => output.trim().split('\n').slice(-count).join('\n');
