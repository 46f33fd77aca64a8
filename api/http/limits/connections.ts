import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { Problem } from '../problem';

export interface ConnectionSettings {
  /** How many connections may be open. */
  connectionsMax: number;
  /** Whether an IP address belongs to a proxy of the operator. A proxy has the connections of all callers, so it has no share of its own. */
  isProxy: (address: string) => boolean;
}

/**
 * How many connections more than `connectionsMax` can be open. Each of them gets an answer to one request: probes of /health always, other
 * requests the problem too_many_connections. So an orchestrator does not restart a process because it has many connections.
 */
export const extraConnections = 50;

/** The connections above a limit. */
const excessSockets = new WeakSet<Socket>();

/** The open connections of one network address. */
interface AddressConnections {
  count: number;
  /** Connections without a request, the one that is idle the longest first. */
  idle: Set<Socket>;
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
 * The open connections of a server. One address has at most half of them. If there is no room for a new connection, the server closes the
 * connection that has been without a request for the longest time. So idle connections never keep anybody out. If there is no idle
 * connection, the new one is above the limit (see `rejectExcess`).
 */
export class Connections {
  readonly #addresses = new Map<string, AddressConnections>();
  readonly #idle = new Set<Socket>();
  readonly #networks = new WeakMap<Socket, string>();
  #count = 0;

  constructor(private readonly settings: ConnectionSettings) {}

  /** Counts a new connection until it is closed. */
  add(socket: Socket): void {
    const { connectionsMax, isProxy } = this.settings;
    const network = networkOf(socket.remoteAddress) ?? 'none';
    const ofAddress = this.#addresses.get(network) ?? { count: 0, idle: new Set<Socket>() };
    const hasShare = socket.remoteAddress === undefined || !isProxy(socket.remoteAddress);
    if (hasShare && ofAddress.count >= Math.ceil(connectionsMax / 2)) this.#makeRoom(ofAddress.idle, socket);
    else if (this.#count >= connectionsMax) this.#makeRoom(this.#idle, socket);
    ofAddress.count += 1;
    this.#count += 1;
    this.#addresses.set(network, ofAddress);
    this.#networks.set(socket, network);
    this.setIdle(socket, true);
    socket.once('close', () => {
      this.setIdle(socket, false);
      this.#remove(socket, network, ofAddress);
    });
  }

  /** Notes whether a connection has no request. */
  setIdle(socket: Socket, isIdle: boolean): void {
    const idleOfAddress = this.#addresses.get(this.#networks.get(socket) ?? '')?.idle;
    for (const idle of [this.#idle, idleOfAddress])
      if (isIdle && !socket.destroyed) idle?.add(socket);
      else idle?.delete(socket);
  }

  /** Closes the connection that is idle the longest. If there is none, marks the new connection as above the limit. */
  #makeRoom(idle: Set<Socket>, newSocket: Socket): void {
    const [longestIdle] = idle;
    if (!longestIdle) {
      excessSockets.add(newSocket);
      return;
    }
    this.setIdle(longestIdle, false);
    longestIdle.destroy();
  }

  #remove(socket: Socket, network: string, ofAddress: AddressConnections): void {
    this.#networks.delete(socket);
    this.#count -= 1;
    ofAddress.count -= 1;
    if (ofAddress.count === 0) this.#addresses.delete(network);
  }
}

/** Creates a middleware that answers too_many_connections on a connection above the limit, and closes it. Probes get their answer. */
export function rejectExcess(): RequestHandler {
  return (request, response, next) => {
    if (!excessSockets.has(request.socket)) return next();
    response.set('Connection', 'close');
    if (!request.path.startsWith('/health/')) throw new Problem('too_many_connections');
    next();
  };
}
