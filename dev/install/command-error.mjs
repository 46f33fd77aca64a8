/** A part that is missing on this machine. The message is the one line a person reads: what is missing, what to do. */
export class CommandError extends Error {
  name = 'CommandError';
}

/** Runs the body of a command. A missing part ends it at once, with its one line and code 1, never with a stack trace. */
export async function runCommand(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
