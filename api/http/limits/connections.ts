import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { Shares } from '../../../platform/fair-queue';
import { Problem } from '../problem';

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
