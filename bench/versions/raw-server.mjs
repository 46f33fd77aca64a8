import { requireTypescript } from '../../dev/install/require-typescript.mjs';

// Runs startRawServer in a process of its own, as the API does. Argument: the addresses and the data folder of the stack as JSON.
// Sends the port.

const { startRawServer } = requireTypescript(new URL('raw-server.ts', import.meta.url).pathname);
process.on('disconnect', () => process.exit());
process.send(await startRawServer(JSON.parse(process.argv[2])));
