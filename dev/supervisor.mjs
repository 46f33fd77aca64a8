import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installTemporal } from './install/install-temporal.mjs';
import { root } from './install/root.mjs';

// Leads the process group of one stack. Its processes inherit this environment.
const { superviseStack } = createRequire(import.meta.url)(join(root, 'dist', 'dev', 'stack', 'main.js'));

if (!process.env.TEMPORAL_ADDRESS) process.env.TEMPORAL_CLI_PATH ??= await installTemporal();
// The parent may have ended in the meantime.
if (!process.connected) process.exit(1);
superviseStack(root, process.env);
