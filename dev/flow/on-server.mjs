import { runCommand } from '../install/command-error.mjs';
import { runHere } from './run-here.mjs';

// The parent process filters the error output of this one.
await runCommand(runHere);
