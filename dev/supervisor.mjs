import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installTemporal } from './install/install-temporal.mjs';
import { root } from './install/root.mjs';

// The leader of the process group of all parts of one stack. Its environment is the parts' environment.
const { superviseStack } = createRequire(import.meta.url)(join(root, 'dist', 'dev', 'stack', 'main.js'));

if (!process.env.TEMPORAL_ADDRESS) process.env.TEMPORAL_CLI_PATH ??= await installTemporal();
// Who asked for the stack may be gone by now.
if (!process.connected) process.exit(1);
superviseStack(root, process.env);
