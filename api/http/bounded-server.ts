import { createServer, type RequestListener, type Server } from 'node:http';

/** A slower request holds its connection on purpose. */
const receiveMs = 10_000;
const checkEveryMs = 2_000;
/**
 * Load balancers and clients keep idle connections for 60 s by default. They must close first: if the server did, a request
 * on its way would be lost.
 */
const idleMs = 65_000;

/** A server that closes a connection if a request takes more than 10 s to arrive, or after 65 s without a request. */
export function createBoundedServer(listener: RequestListener): Server {
  const limits = {
    requestTimeout: receiveMs,
    headersTimeout: receiveMs,
    connectionsCheckingInterval: checkEveryMs,
    keepAliveTimeout: idleMs,
  };
  return createServer(limits, listener);
}
