import { randomInt } from 'node:crypto';
import { createServer, connect } from 'node:net';
import { portVariables, type StackPorts } from './settings';
import { StackError } from './stack-error';

/**
 * Below the ports that systems give to outgoing connections, one of which would take ours between our look and its use;
 * above 10080, the last to which browsers and `fetch` do not go.
 */
const [lowest, highest] = [12_000, 32_767];

/** Any port on 127.0.0.1 that nobody listens on. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest + 1);
    if (await isFree(port)) return port;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** True when somebody answers on this port of 127.0.0.1. */
export function isAnswered(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    // Loopback answers or refuses at once; a host that does neither in this time is not there.
    socket.setTimeout(2_000, () => socket.destroy());
    socket.once('connect', () => {
      resolve(true);
      socket.destroy();
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}

/** True when this port can be used. Some systems let two programs listen, on one address and on all: both are asked. */
export const isFree = async (port: number): Promise<boolean> => (await canListen(port)) && !(await isAnswered(port));

const takenWords = (port: number, variable: string) =>
  `Port ${port} (${variable}) is taken by another program: end that one, or choose another port, for example ` +
  `${variable}=${port < 55_000 ? port + 10_000 : port - 10_000} npm start`;

/**
 * What to do about the port that the end of a log tells of as taken: somebody took it between our look and its use, or the
 * part met one that our look did not. Undefined where it tells of none of these ports.
 */
export function adviceOnTaken(lines: string, ports: Partial<StackPorts>): string | undefined {
  if (!/address already in use|EADDRINUSE/i.test(lines)) return undefined;
  for (const [name, variable] of Object.entries(portVariables) as [keyof StackPorts, string][]) {
    const port = ports[name];
    if (port !== undefined && new RegExp(`(?:port |:)${port}\\b`).test(lines)) return takenWords(port, variable);
  }
  return undefined;
}

/** Throws StackError naming the first port that is taken or used twice, its variable and what to do. */
export async function assertPortsAreFree(ports: Partial<StackPorts>): Promise<void> {
  const names = new Map<number, string>();
  for (const [name, variable] of Object.entries(portVariables) as [keyof StackPorts, string][]) {
    const port = ports[name];
    if (port === undefined) continue;
    const twice = names.get(port);
    if (twice) throw new StackError(`Port ${port} is given to both ${twice} and ${variable}: change one of them.`);
    names.set(port, variable);
    if (await isFree(port)) continue;
    throw new StackError(takenWords(port, variable));
  }
}
