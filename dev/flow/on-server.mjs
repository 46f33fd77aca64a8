import { runCommand } from '../install/command-error.mjs';
import { runFlowCommand } from './run-flow-command.mjs';

// The parent process filters the error output of this one.
await runCommand(runFlowCommand);
