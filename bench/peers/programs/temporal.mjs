// Raw Temporal behind Express, without a record and without encryption. `node temporal.mjs api` serves requests, `node temporal.mjs worker`
// runs workflows and sends messages. If the worker dies, Temporal repeats its activities: a message that the provider got before the
// activity completed is sent again.
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { serve, serveHealth } from './endpoints.mjs';
import { sendSms } from './provider.mjs';

const address = process.env.TEMPORAL_ADDRESS;
const taskQueue = 'peers';

async function runApi() {
  const { workflow } = new Client({ connection: await Connection.connect({ address }) });
  const handleOf = (id) => workflow.getHandle(`peer/${id}`);
  serve({
    create: (id, person) => workflow.start('transaction', { taskQueue, workflowId: `peer/${id}`, args: [person] }),
    send: (id) => handleOf(id).executeUpdate('send'),
    check: (id, value) => handleOf(id).executeUpdate('check', { args: [value] }),
    read: (id) => handleOf(id).query('read'),
  });
}

async function runWorker() {
  Runtime.install({ logger: new DefaultLogger('WARN') });
  const worker = await Worker.create({
    connection: await NativeConnection.connect({ address }),
    taskQueue,
    workflowsPath: fileURLToPath(new URL('temporal-workflow.mjs', import.meta.url)),
    activities: { sendSms },
  });
  serveHealth();
  await worker.run();
}

await (process.argv[2] === 'worker' ? runWorker() : runApi());
