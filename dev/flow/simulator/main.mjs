import { join } from 'node:path';
import { installTestServer } from '../../install/programs.mjs';
import { requireTypescript } from '../../install/require-typescript.mjs';
import { root } from '../../install/command.mjs';

// A child process of the inbox, which ends when its parent ends or disconnects. It ends at once, whatever it is doing: the programs that it
// started end with it. So this must be the first statement. The parent may have disconnected even earlier.
process.once('disconnect', () => process.exit(0));
if (!process.connected) process.exit(0);

const { serveSimulations } = requireTypescript(join(root, 'dev', 'flow', 'simulator', 'serve-simulations.ts'));
serveSimulations(async () => {
  process.env.TEMPORAL_TEST_SERVER_PATH = await installTestServer();
});
