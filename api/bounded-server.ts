import { createServer, type RequestListener, type Server } from 'node:http';

/** A request that is not received by then holds its connection on purpose. */
const receiveMs = 10_000;
/** How late that may be noticed. */
const lookEveryMs = 2_000;

/** A server that closes connections whose request does not arrive within 10 s. */
export function createBoundedServer(listener: RequestListener): Server {
  const limits = { requestTimeout: receiveMs, headersTimeout: receiveMs, connectionsCheckingInterval: lookEveryMs };
  return createServer(limits, listener);
}
