import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installTemporal } from './install/install-temporal.mjs';
import { root } from './install/root.mjs';

// This process leads the process group of one stack. The other processes inherit its environment.
const { superviseStack } = createRequire(import.meta.url)(join(root, 'dist', 'dev', 'stack', 'main.js'));

if (!process.env.TEMPORAL_ADDRESS) process.env.TEMPORAL_CLI_PATH ??= await installTemporal();
// The parent may have ended during the installation.
if (!process.connected) process.exit(1);
superviseStack(root, process.env);
