export const componentNames = ['postgres', 'temporal', 'inbox', 'worker', 'api'] as const;
export type ComponentName = (typeof componentNames)[number];

/** How to start the process of a component. */
interface Command {
  file: string;
  args: string[];
  environment: NodeJS.ProcessEnv;
  /** The system user who runs the process. Default: the user who started the stack. */
  user?: { uid: number; gid: number } | undefined;
}

/** One process of the stack: how to start it, check it and stop it. */
export interface Component {
  name: ComponentName;
  /** This component starts after the components in this list are ready, and stops before these components stop. */
  dependsOn: ComponentName[];
  /** Prepares files on disk. Runs before every start. */
  prepare?(): Promise<void>;
  command(): Command;
  /** Whether the process is ready. It is called repeatedly, and may throw until the process is ready. */
  isReady(): Promise<boolean>;
  stopSignal: NodeJS.Signals;
  /** The process is killed when it runs longer than this after the stop signal. */
  stopWithinMs: number;
}

/** Timeout of one readiness check on loopback. */
const requestTimeoutMs = 2_000;

/** Whether the address responds with 2xx. Throws when there is no response. */
export async function isOk(address: string): Promise<boolean> {
  const response = await fetch(address, { signal: AbortSignal.timeout(requestTimeoutMs) });
  await response.body?.cancel();
  return response.ok;
}
