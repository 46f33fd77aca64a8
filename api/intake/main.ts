import type { AddressInfo } from 'node:net';
import { readApiConfig } from '../../platform/config';
import { giveWay } from '../../platform/give-way';
import { keepToOneCore } from '../../platform/keep-to-one-core';
import { createLogger } from '../../platform/logger';
import { createApp } from '../app';
import { hostedPageRoutes } from '../biometrics/routes';
import { createBoundedServer } from '../http/bounded-server';
import { healthRows } from '../http/health';
import { openDependencies } from '../open-dependencies';

// Nobody waits for an upload as a caller waits for a read.
giveWay();
keepToOneCore();

const config = readApiConfig();
const logger = createLogger('intake', config.LOG_LEVEL);
const { parts: dependencies } = openDependencies(config, logger);
const ready = () =>
  dependencies.pool.query('select 1').then(
    () => true,
    () => false,
  );
const app = createApp({ ...dependencies, ready, processEvents: () => {} }, [...healthRows, ...hostedPageRoutes]);
const server = createBoundedServer(app);
// The decoder is loaded before the first person needs it.
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);
void dependencies.reencoder.reencode(async () => onePixel);

// Without a port of its own, only the API finds it.
const address =
  config.INTAKE_PORT === 0 ? { port: 0, host: '127.0.0.1' } : { port: config.INTAKE_PORT, host: config.HOST };
server.on('error', (error: NodeJS.ErrnoException) => {
  logger.error({ failure: error.code ?? error.name, port: address.port }, 'the intake of images cannot listen');
  process.exit(1);
});
server.listen(address, () => process.send?.({ port: (server.address() as AddressInfo).port }));

/** Buffers lie outside the heap, whose own garbage says nothing of them: left alone, they gather by the hundred megabytes. */
const [lookEveryMs, buffersMost] = [200, 16 * 1024 * 1024];
const collectGarbage = (globalThis as { gc?: () => void }).gc;
setInterval(() => {
  if (process.memoryUsage().arrayBuffers > buffersMost) collectGarbage?.();
}, lookEveryMs).unref();

const end = () => process.exit(0);
// It lives and dies with the process that it works for; what it had in hand is sent again by the page.
process.on('disconnect', end).on('SIGTERM', end);
