/** An expected error of a command. The message says what is wrong and what to do. */
export class CommandError extends Error {
  name = 'CommandError';
}

/**
 * Runs a command. If the command throws a CommandError, or a StackError of dev/stack, prints its message without a stack trace, and exits with code 1. With `--help`,
 * prints `usage` and does not run the command.
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
