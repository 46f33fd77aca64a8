import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import getPort, { clearLockedPorts } from 'get-port';
import { StackError } from './data-folder';
import { portVariables, type StackPorts } from './settings';

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
async function isPortFree(port: number): Promise<boolean> {
  // After the library has returned a port, the library treats this port as used for at least 15 s. This call removes the restriction, so
  // that the same port can be checked twice.
  clearLockedPorts();
  return (await getPort({ port })) === port;
}

/** Waits at most `waitMs` until these ports are free. Throws StackError if one is still in use, or if two of them are equal. */
export async function assertPortsAreFree(ports: Partial<StackPorts>, waitMs = 0): Promise<void> {
  const variableByPort = new Map<number, string>();
  const deadline = Date.now() + waitMs;
  for (const [name, variable] of Object.entries(portVariables)) {
    const port = ports[name as keyof StackPorts];
    if (port === undefined) continue;
    const otherVariable = variableByPort.get(port);
    if (otherVariable) throw new StackError(`${otherVariable} and ${variable} are both ${port}. Change one of them.`);
    variableByPort.set(port, variable);
    for (; !(await isPortFree(port)); await sleep(100))
      if (Date.now() >= deadline)
        throw new StackError(
          `Port ${port} (${variable}) is used by another program. Stop that program, or choose another port, for example ` +
            `${variable}=${port < 55_000 ? port + 10_000 : port - 10_000} npm start`,
        );
  }
}
