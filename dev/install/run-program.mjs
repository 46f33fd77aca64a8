import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const running = new Set();

const leave = () => process.exit(1);
// Programs of other steps must not go on when one step has failed, nor after Ctrl-C.
process.on('exit', () => {
  for (const child of running) child.kill();
});

function keepWhileRunning(child) {
  if (running.size === 0) for (const signal of signals) process.on(signal, leave);
  running.add(child);
  child.once('close', () => {
    running.delete(child);
    if (running.size === 0) for (const signal of signals) process.off(signal, leave);
  });
}

/**
 * Runs a program to its end and returns { code, output }; never throws, a program that is not there has code 127.
 * `timeoutMs` ends a program that hangs; `show` lets a person read along what it writes to its error output.
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
    keepWhileRunning(child);
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
 * Runs a program as if it were this one, but for lines of its error output that match, and answers its exit code. What it
 * starts writes there too.
 */
export function runWithoutLines(pattern, file, args, env) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ['inherit', 'inherit', 'pipe'] });
    keepWhileRunning(child);
    const lines = createInterface({ input: child.stderr, crlfDelay: Infinity });
    lines.on('line', (line) => {
      if (!pattern.test(line)) process.stderr.write(`${line}\n`);
    });
    child.once('error', () => resolve(127));
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** Runs npm, the same one that runs this script where there is one. */
export function runNpm(args, options) {
  const script = process.env.npm_execpath;
  if (script?.endsWith('.js')) return runProgram(process.execPath, [script, ...args], options);
  return process.platform === 'win32'
    ? runProgram('cmd.exe', ['/d', '/s', '/c', 'npm', ...args], options)
    : runProgram('npm', args, options);
}

/** The last lines of an output that say something: what a person needs to see of a failure. */
export const lastLines = (output, count) => output.trim().split('\n').slice(-count).join('\n');
