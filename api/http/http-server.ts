import ipaddr from 'ipaddr.js';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import { Shares } from '../../platform/fair-queue';
import { Problem } from './problem';

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

export interface ConnectionSettings {
  /** How many connections may have a request at the same time. */
  connectionsMax: number;
  /** Whether an IP address belongs to a proxy of the operator. A proxy has the connections of all callers, so it has no share of its own. */
  isProxy: (address: string) => boolean;
}

/**
 * How many connections more than `connectionsMax` can be open. So some connections always have no place, and one of them can make room for
 * a new connection. An orchestrator then always reaches /health, and does not restart a process because it has many connections.
 */
export const extraConnections = 50;

/** The connections whose request found no place. */
const excessSockets = new WeakSet<Socket>();

/** The open connections of one network address. */
interface Network {
  count: number;
  /** The connections without a place. The first one has been without a request for the longest time. */
  withoutPlace: Set<Socket>;
}

interface Connection {
  network: Network;
  address: string;
  /** Gives the place back. Undefined if the connection has no place. */
  releasePlace?: (() => void) | undefined;
}

/**
 * The network of an IP address. For IPv6, this is the first 64 bits, because one subscriber has all addresses that begin with these bits.
 * Undefined if the text is no IP address.
 */
export function networkOf(address: string | undefined): string | undefined {
  if (address === undefined || !ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? parsed.toNormalizedString().split(':').slice(0, 4).join(':')
    : parsed.toString();
}

/**
 * The open connections of a server. A connection has a place while it has a request. There are `connectionsMax` places, and one address has
 * at most half of them. A request that finds no place is rejected (see `rejectExcess`). At most `extraConnections` more connections are
 * open than there are places, so whatever the connections do, one without a place is left, which makes room for a new connection.
 */
export class Connections {
  readonly #connections = new Map<Socket, Connection>();
  readonly #networks = new Map<string, Network>();
  readonly #places = new Shares();

  constructor(private readonly settings: ConnectionSettings) {}

  /** Adds a new connection. If too many are open, closes one that has no place. */
  add(socket: Socket): void {
    if (this.#connections.size >= this.settings.connectionsMax + extraConnections) this.#makeRoom();
    const address = networkOf(socket.remoteAddress) ?? 'none';
    const network = this.#networks.get(address) ?? { count: 0, withoutPlace: new Set<Socket>() };
    this.#networks.set(address, network);
    this.#connections.set(socket, { network, address });
    network.count += 1;
    network.withoutPlace.add(socket);
    socket.once('close', () => this.#remove(socket));
  }

  /** Takes a place for a connection that had no request until now. If there is none, `rejectExcess` rejects the request. */
  takePlace(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (!connection) return;
    const { network, address } = connection;
    const { connectionsMax, isProxy } = this.settings;
    const ofAddress = { subject: `address ${address}`, max: Math.ceil(connectionsMax / 2) };
    const hasShare = socket.remoteAddress === undefined || !isProxy(socket.remoteAddress);
    connection.releasePlace = this.#places.take([
      { subject: 'process', max: connectionsMax },
      ...(hasShare ? [ofAddress] : []),
    ]);
    network.withoutPlace.delete(socket);
    if (connection.releasePlace) return;
    excessSockets.add(socket);
    // Connections without any request make room first.
    network.withoutPlace.add(socket);
  }

  /** Gives the place of a connection back. The connection has no request any more. */
  releasePlace(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (!connection?.releasePlace) return;
    connection.releasePlace();
    connection.releasePlace = undefined;
    connection.network.withoutPlace.add(socket);
  }

  /**
   * Closes a connection without a place, of the address that has the most connections. So an address that opens many connections pays for
   * them itself, and the probe of an orchestrator, which has one, is the last to make room.
   */
  #makeRoom(): void {
    let largest: Network | undefined;
    for (const network of this.#networks.values())
      if (network.withoutPlace.size > 0 && network.count > (largest?.count ?? 0)) largest = network;
    const [longestIdle] = largest?.withoutPlace ?? [];
    if (!longestIdle) return;
    this.#remove(longestIdle);
    longestIdle.destroy();
  }

  #remove(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (!connection) return;
    const { network, address } = connection;
    connection.releasePlace?.();
    this.#connections.delete(socket);
    network.withoutPlace.delete(socket);
    network.count -= 1;
    if (network.count === 0) this.#networks.delete(address);
  }
}

/** Creates a middleware that answers too_many_connections to a request that found no place, and closes its connection. Probes get their answer. */
export function rejectExcess(): RequestHandler {
  return (request, response, next) => {
    if (!excessSockets.has(request.socket)) return next();
    response.set('Connection', 'close');
    if (!request.path.startsWith('/health/')) throw new Problem('too_many_connections');
    next();
  };
}
