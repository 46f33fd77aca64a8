/** An expected error of a command. The message says what is wrong and what to do. */
export class CommandError extends Error {
  name = 'CommandError';
}

/**
 * Runs a command. A CommandError prints its message and exits with code 1, without a stack trace. With `--help`, prints `usage`
 * and runs nothing.
 */
export async function runCommand(command, usage) {
  if (usage !== undefined && process.argv.slice(2).some((argument) => ['--help', '-h'].includes(argument))) {
    process.stdout.write(`${usage.trimEnd()}\n`);
    return;
  }
  try {
    await command();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
