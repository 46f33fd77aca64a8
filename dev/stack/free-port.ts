import { randomInt } from 'node:crypto';
import getPort, { clearLockedPorts } from 'get-port';
import { portVariables, type StackPorts } from './settings';
import { StackError } from './stack-error';

/**
 * Below the range that systems use for outgoing connections, which could take the port before us. Above 10080, the last port
 * that browsers and `fetch` block.
 */
const [lowest, highest] = [12_000, 32_767];

function* candidates(): Generator<number> {
  for (;;) yield randomInt(lowest, highest + 1);
}

/** A random free port. Random, because several stacks may search at the same time. */
export const findFreePort = (): Promise<number> => getPort({ port: candidates() });

/** Whether the port is free on all addresses of this machine. */
export async function isFree(port: number): Promise<boolean> {
  // The library returns no port twice within 15 s, but the same port may be checked again here.
  clearLockedPorts();
  return (await getPort({ port })) === port;
}

const portInUseMessage = (port: number, variable: string) =>
  `Port ${port} (${variable}) is used by another program. Stop that program, or choose another port, for example ` +
  `${variable}=${port < 55_000 ? port + 10_000 : port - 10_000} npm start`;

/** The message for a log that reports one of these ports in use: another program took it after our check. Otherwise undefined. */
export function portInUseAdvice(lines: string, ports: Partial<StackPorts>): string | undefined {
  if (!/address already in use|EADDRINUSE/i.test(lines)) return undefined;
  for (const [name, variable] of Object.entries(portVariables) as [keyof StackPorts, string][]) {
    const port = ports[name];
    if (port !== undefined && new RegExp(`(?:port |:)${port}\\b`).test(lines)) return portInUseMessage(port, variable);
  }
  return undefined;
}

/** Throws StackError for the first port that is in use or given twice. */
export async function assertPortsAreFree(ports: Partial<StackPorts>): Promise<void> {
  const names = new Map<number, string>();
  for (const [name, variable] of Object.entries(portVariables) as [keyof StackPorts, string][]) {
    const port = ports[name];
    if (port === undefined) continue;
    const twice = names.get(port);
    if (twice) throw new StackError(`${twice} and ${variable} are both ${port}. Change one of them.`);
    names.set(port, variable);
    if (!(await isFree(port))) throw new StackError(portInUseMessage(port, variable));
  }
}
