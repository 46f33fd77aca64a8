import { createServer, type RequestListener, type Server } from 'node:http';

/** A client that takes longer probably blocks connections on purpose (Slowloris). */
const receiveTimeoutMs = 10_000;
const checkIntervalMs = 2_000;
/**
 * Longer than the 60 s for which load balancers and clients keep idle connections, so that they close first. If the server closed
 * first, it could lose a request that is on its way.
 */
const idleTimeoutMs = 65_000;

/** A server that closes a connection if a request takes more than 10 s to arrive, or after 65 s without a request. */
export function createHttpServer(listener: RequestListener): Server {
  const limits = {
    requestTimeout: receiveTimeoutMs,
    headersTimeout: receiveTimeoutMs,
    connectionsCheckingInterval: checkIntervalMs,
    keepAliveTimeout: idleTimeoutMs,
  };
  return createServer(limits, listener);
}
