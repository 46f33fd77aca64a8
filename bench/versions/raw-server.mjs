import { requireTypescript } from '../../dev/install/require-typescript.mjs';

// Runs startRawServer in a process of its own, because the API also has its own process. Argument: the addresses and the data folder of the
// stack as JSON. Sends the port to the parent process.

const { startRawServer } = requireTypescript(new URL('raw-server.ts', import.meta.url).pathname);
process.on('disconnect', () => process.exit());
process.send(await startRawServer(JSON.parse(process.argv[2])));
