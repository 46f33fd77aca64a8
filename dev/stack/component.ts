import type { BoundProgramOptions } from './bound-program';

export type ComponentName = 'postgres' | 'temporal' | 'inbox' | 'worker' | 'api';

/** One process: how to start it, check it and stop it. `Name`: by default, the name of a process of the local stack. */
export interface Component<Name extends string = ComponentName> {
  name: Name;
  /** Prepares files on disk. Runs before every start. */
  prepare?(): Promise<void>;
  command(): { file: string; args: string[]; environment: NodeJS.ProcessEnv };
  /** Whether the process is ready. It is called repeatedly, and may throw until the process is ready. */
  isReady(): Promise<boolean>;
  stopSignal: NodeJS.Signals;
  /** The process is killed when it runs longer than this after the stop signal. */
  stopWithinMs: number;
  endSignal?: BoundProgramOptions['endSignal'];
}

/** Timeout of one readiness check on loopback. */
const requestTimeoutMs = 2_000;

/** Whether the address responds with 2xx. Throws when there is no response. */
export async function isOk(address: string): Promise<boolean> {
  const response = await fetch(address, { signal: AbortSignal.timeout(requestTimeoutMs) });
  await response.body?.cancel();
  return response.ok;
}
