import { requireTypescript } from '../../dev/install/require-typescript.mjs';

// Runs startRawServer in its own process, because the API also has its own process. Argument: a JSON object with the addresses and the data
// folder of the stack. Sends the port of the server to the parent process.

const { startRawServer } = requireTypescript(new URL('raw-server.ts', import.meta.url).pathname);
process.on('disconnect', () => process.exit());
process.send(await startRawServer(JSON.parse(process.argv[2])));
