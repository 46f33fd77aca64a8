import { join } from 'node:path';
import { installTestServer } from '../../install/install-test-server.mjs';
import { requireTypescript } from '../../install/require-typescript.mjs';
import { root } from '../../install/root.mjs';

// This process is a child process of the inbox. It ends when the inbox ends or disconnects.
process.env.TEMPORAL_TEST_SERVER_PATH = await installTestServer();
const { serveSimulations } = requireTypescript(join(root, 'dev', 'flow', 'simulator', 'serve-simulations.ts'));
serveSimulations();
