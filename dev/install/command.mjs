import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** The root folder of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** An expected error of a command. The message says what is wrong and what to do. */
export class CommandError extends Error {
  name = 'CommandError';
}

/**
 * Runs a command. If the command throws a CommandError, or a StackError of dev/stack, prints its message without a stack trace, and exits
 * with code 1. With `--help`, prints `usage` and does not run the command.
 */
export async function runCommand(command, usage) {
  if (usage !== undefined && process.argv.slice(2).some((argument) => ['--help', '-h'].includes(argument))) {
    process.stdout.write(`${usage.trimEnd()}\n`);
    return;
  }
  try {
    await command();
  } catch (error) {
    if (!['CommandError', 'StackError'].includes(error.name)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** Reads options that are integers, at least `min`. `defaults`: the options and their defaults. Throws CommandError if one is wrong. */
export function readNumbers(usage, defaults, min = 1) {
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, { type: 'string', default: String(value) }]),
  );
  try {
    const numbers = Object.entries(parseArgs({ options }).values).map(([name, text]) => [name, Number(text)]);
    if (numbers.every(([, value]) => Number.isInteger(value) && value >= min)) return Object.fromEntries(numbers);
  } catch {
    // `parseArgs` throws for an unknown option. The command then prints the usage, as for an invalid number.
  }
  throw new CommandError(usage);
}

/** Calls `interrupt` at the first Ctrl-C, and then ends this process. A second Ctrl-C ends it at once. Its programs end with it. */
export function stopOnSignal(interrupt) {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(name, () => void interrupt().finally(() => process.exit(1)));
}
