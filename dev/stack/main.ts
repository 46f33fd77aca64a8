import { startupMessage } from './startup-message';
import type { ComponentName } from './component';
import { registerInbox } from './register-inbox';
import { readStackSettings, type StackPorts, type StackSettings } from './settings';
import { StackError } from './stack-error';
import { Supervisor } from './supervisor';

/** Messages from the parent process to a supervisor. When the channel closes, the supervisor stops. */
export type MessageToSupervisor =
  | {
      type: 'start';
      environment?: NodeJS.ProcessEnv;
      /** Compiled scripts that replace those of this repository, by component. */
      scripts?: StackSettings['scripts'];
      /**
       * When the user ran the command, in milliseconds since the epoch. The supervisor prints the time from then until the stack is ready.
       */
      requestedAtMs?: number;
    }
  | { type: 'stop' }
  | { type: 'killNow' }
  | { type: 'startComponent' | 'stopComponent'; id: number; name: ComponentName };

/** Messages from a supervisor to its parent. */
export type MessageFromSupervisor =
  | { type: 'ready'; ports: StackPorts; dataDir: string }
  | { type: 'failed'; message: string }
  /** The answer to `startComponent` or `stopComponent`. `message`: why it failed; absent on success. */
  | { type: 'done'; id: number; message?: string | undefined };

const print = (line: string) => process.stdout.write(`${line}\n`);

function sendToParent(message: MessageFromSupervisor): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

/** Returns the message of an expected error, or the stack trace of any other error. */
const describe = (error: unknown): string =>
  error instanceof StackError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);

/**
 * Supervises one stack for the parent process, until a stop message, a signal or the end of the parent. The processes of the stack
 * inherit `baseEnvironment`.
 */
export function superviseStack(root: string, baseEnvironment: NodeJS.ProcessEnv): void {
  // All processes of the stack inherit this mask, so only this user can read the files that they create.
  process.umask(0o077);
  let supervisor: Supervisor | undefined;
  let isExiting = false;

  const exit = async (code: number) => {
    if (isExiting) return;
    isExiting = true;
    await supervisor?.stop().catch((error: unknown) => print(describe(error)));
    process.exit(code);
  };
  const fail = async (error: unknown) => {
    if (!isExiting) sendToParent({ type: 'failed', message: describe(error) });
    await exit(1);
  };

  const start = async (message: MessageToSupervisor & { type: 'start' }) => {
    const settings = readStackSettings(root, { ...baseEnvironment, ...message.environment }, message.scripts);
    supervisor = new Supervisor(settings, print);
    const requestedAtMs = message.requestedAtMs ?? Date.now();
    await supervisor.start();
    if (isExiting) return;
    await registerInbox(settings).catch((error: unknown) =>
      print(`The inbox does not get the events of notify steps: ${describe(error)}`),
    );
    print(startupMessage(settings, Date.now() - requestedAtMs));
    sendToParent({ type: 'ready', ports: settings.ports, dataDir: settings.dataDir });
  };
  const changeComponent = async ({
    type,
    id,
    name,
  }: MessageToSupervisor & { type: 'startComponent' | 'stopComponent' }) => {
    const errorMessage = await supervisor?.[type](name).catch((error: unknown) => describe(error));
    sendToParent({ type: 'done', id, message: errorMessage ?? undefined });
  };

  process.on('message', (message: MessageToSupervisor) => {
    if (message.type === 'start') start(message).catch(fail);
    else if (message.type === 'stop') void exit(0);
    else if (message.type === 'killNow') supervisor?.killNow();
    else void changeComponent(message);
  });
  process.on('disconnect', () => void exit(1));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => void exit(0));
  // A closed terminal must not end the supervisor before it has stopped its processes.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', (error) => void fail(error));
}
