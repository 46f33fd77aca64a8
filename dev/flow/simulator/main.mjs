import { join } from 'node:path';
import { installTestServer } from '../../install/install-test-server.mjs';
import { requireTypescript } from '../../install/require-typescript.mjs';
import { root } from '../../install/root.mjs';

// A child process of the inbox. It ends with its parent, or when the parent disconnects.
const { serveSimulations } = requireTypescript(join(root, 'dev', 'flow', 'simulator', 'serve-simulations.ts'));
serveSimulations(async () => {
  process.env.TEMPORAL_TEST_SERVER_PATH = await installTestServer();
});
