import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { Connections, type ConnectionSettings } from './limits/connections';

/** The time in which a request must arrive. A client that takes longer probably blocks connections on purpose (Slowloris). */
const receiveTimeoutMs = 10_000;
/** How often Node looks for requests that take too long to arrive. */
const checkIntervalMs = 2_000;
/**
 * The time after which the server closes an idle connection. Load balancers and clients usually close an idle connection after 60 s, before
 * the server does. If the server closed the connection first, a request that is on its way could be lost.
 */
const idleTimeoutMs = 65_000;

/**
 * Maximum number of requests of one connection that have no response yet. Node runs all requests of one received chunk at the same time: a
 * chunk of 64 KB can have 1,600 requests of 40 bytes. Clients and proxies wait for each response before the next request, so this limit
 * affects only attacks.
 */
const unansweredRequestsMax = 4;

/**
 * Counts the requests of each connection. Closes a connection that sends more than `unansweredRequestsMax` requests without waiting for a
 * response.
 */
function limitPipelining(listener: RequestListener, connections: Connections): RequestListener {
  const unansweredCounts = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    const count = unansweredCounts.get(socket) ?? 0;
    // After the connection is closed, Node still emits the other requests of the chunk. They must not run.
    if (count >= unansweredRequestsMax || socket.destroyed) {
      socket.destroy();
      // Without this line, Node creates an error with a stack for each of these requests. These errors took most of the CPU time in an
      // attack.
      request.destroy();
      return;
    }
    unansweredCounts.set(socket, count + 1);
    if (count === 0) connections.takePlace(socket);
    response.once('close', () => {
      const left = (unansweredCounts.get(socket) ?? 1) - 1;
      unansweredCounts.set(socket, left);
      if (left === 0) connections.releasePlace(socket);
    });
    listener(request, response);
  };
}

/**
 * Creates a server that closes a connection in four cases: a request takes more than 10 s to arrive, nothing is sent or received for 65 s,
 * the client sends many requests without waiting for responses, or another client needs the connection (see Connections).
 */
export function createHttpServer(listener: RequestListener, settings: ConnectionSettings): Server {
  const limits = {
    requestTimeout: receiveTimeoutMs,
    headersTimeout: receiveTimeoutMs,
    connectionsCheckingInterval: checkIntervalMs,
    keepAliveTimeout: idleTimeoutMs,
    // The API itself rejects a request without Host, with a problem.
    requireHostHeader: false,
  };
  // Without a timeout, a client that stops reading a response keeps its connection for ever. No request runs longer than 60 s.
  const connections = new Connections(settings);
  const server = createServer(limits, limitPipelining(listener, connections)).setTimeout(idleTimeoutMs);
  server.on('connection', (socket: Socket) => connections.add(socket));
  return server;
}
