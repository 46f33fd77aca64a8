import { runCommand } from '../install/command-error.mjs';
import { runFlowCommand } from './run-flow-command.mjs';

// Runs `simulate` or `test`, which need a Temporal server. The parent process, dev/flow.mjs, filters the error output.
await runCommand(runFlowCommand);
