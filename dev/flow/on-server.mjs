import { runCommand } from '../install/command-error.mjs';
import { runHere } from './run-here.mjs';

// The process that has the server: another one stands between it and the error output.
await runCommand(runHere);
