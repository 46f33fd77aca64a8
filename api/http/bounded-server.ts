import { createServer, type RequestListener, type Server } from 'node:http';

/** A request that is not received by then holds its connection on purpose. */
const receiveMs = 10_000;
/** How late that may be noticed. */
const checkEveryMs = 2_000;
/**
 * Longer than the 60 s for which load balancers and clients keep an idle connection by default: who closes first must not
 * be us, because a request that is just on its way would be lost.
 */
const idleMs = 65_000;

/** A server that closes connections whose request does not arrive within 10 s, and idle ones after 65 s. */
export function createBoundedServer(listener: RequestListener): Server {
  const limits = {
    requestTimeout: receiveMs,
    headersTimeout: receiveMs,
    connectionsCheckingInterval: checkEveryMs,
    keepAliveTimeout: idleMs,
  };
  return createServer(limits, listener);
}
