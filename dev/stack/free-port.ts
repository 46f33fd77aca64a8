import { randomInt } from 'node:crypto';
import getPort, { clearLockedPorts } from 'get-port';
import { portVariables, type StackPorts } from './settings';
import { StackError } from './stack-error';

/**
 * Below the ports that systems give to outgoing connections, one of which could take ours before we use it;
 * above 10080, the last one that browsers and `fetch` refuse.
 */
const [lowest, highest] = [12_000, 32_767];

function* candidates(): Generator<number> {
  for (;;) yield randomInt(lowest, highest + 1);
}

/** A random port that nobody listens on. Random, because several stacks may look for one at the same time. */
export const findFreePort = (): Promise<number> => getPort({ port: candidates() });

/** True when nobody listens on this port, on any address of this machine. */
export async function isFree(port: number): Promise<boolean> {
  // The library does not give out a port twice within 15 s. Here the same port may be checked again.
  clearLockedPorts();
  return (await getPort({ port })) === port;
}

const takenMessage = (port: number, variable: string) =>
  `Port ${port} (${variable}) is taken by another program: end that one, or choose another port, for example ` +
  `${variable}=${port < 55_000 ? port + 10_000 : port - 10_000} npm start`;

/**
 * What to do when the end of a part's log says that a port is taken: another program took it after our check.
 * Undefined when it names none of these ports.
 */
export function portTakenMessage(lines: string, ports: Partial<StackPorts>): string | undefined {
  if (!/address already in use|EADDRINUSE/i.test(lines)) return undefined;
  for (const [name, variable] of Object.entries(portVariables) as [keyof StackPorts, string][]) {
    const port = ports[name];
    if (port !== undefined && new RegExp(`(?:port |:)${port}\\b`).test(lines)) return takenMessage(port, variable);
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
    if (!(await isFree(port))) throw new StackError(takenMessage(port, variable));
  }
}
