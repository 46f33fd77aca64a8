import { randomInt } from 'node:crypto';
import getPort, { clearLockedPorts } from 'get-port';
import { portVariables, type StackPorts } from './settings';
import { StackError } from './stack-error';

/**
 * The range from which ports are chosen. The operating system uses higher ports for outgoing connections, so another program could take a
 * higher port first. Browsers and `fetch` block some lower ports, up to 10080.
 */
const [minPort, maxPort] = [12_000, 32_767];

function* randomPorts(): Generator<number> {
  for (;;) yield randomInt(minPort, maxPort + 1);
}

/** Returns a free port. It is a random one, because several stacks may search for a port at the same time. */
export const findFreePort = (): Promise<number> => getPort({ port: randomPorts() });

/** Whether the port is free on all addresses of this machine. */
export async function isPortFree(port: number): Promise<boolean> {
  // After the library has returned a port, the library treats this port as used for at least 15 s. This call removes the restriction, so
  // that the same port can be checked twice.
  clearLockedPorts();
  return (await getPort({ port })) === port;
}

const portInUseMessage = (port: number, variable: string) =>
  `Port ${port} (${variable}) is used by another program. Stop that program, or choose another port, for example ` +
  `${variable}=${port < 55_000 ? port + 10_000 : port - 10_000} npm start`;

/** If a log says that one of these ports is in use, returns a text that says what to do. Otherwise returns undefined. */
export function portInUseAdvice(logText: string, ports: Partial<StackPorts>): string | undefined {
  if (!/address already in use|EADDRINUSE/i.test(logText)) return undefined;
  for (const [name, variable] of Object.entries(portVariables) as [keyof StackPorts, string][]) {
    const port = ports[name];
    if (port !== undefined && new RegExp(`(?:port |:)${port}\\b`).test(logText))
      return portInUseMessage(port, variable);
  }
  return undefined;
}

/** Throws StackError if a port is in use, or if two of these ports are equal. */
export async function assertPortsAreFree(ports: Partial<StackPorts>): Promise<void> {
  const variableByPort = new Map<number, string>();
  for (const [name, variable] of Object.entries(portVariables) as [keyof StackPorts, string][]) {
    const port = ports[name];
    if (port === undefined) continue;
    const otherVariable = variableByPort.get(port);
    if (otherVariable) throw new StackError(`${otherVariable} and ${variable} are both ${port}. Change one of them.`);
    variableByPort.set(port, variable);
    if (!(await isPortFree(port))) throw new StackError(portInUseMessage(port, variable));
  }
}
