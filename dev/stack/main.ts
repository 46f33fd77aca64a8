import { startupMessage } from './startup-message';
import type { PartName } from './part';
import { readStackSettings, type StackPorts, type StackSettings } from './settings';
import { StackError } from './stack-error';
import { Supervisor } from './supervisor';

/** What the parent process sends to a supervisor. The end of the channel means stop. */
export type ToSupervisor =
  | {
      type: 'start';
      environment?: NodeJS.ProcessEnv;
      scripts?: StackSettings['scripts'];
      /** When the person asked for the start: the time that it took is printed. */
      askedAtMs?: number;
    }
  | { type: 'stop' }
  | { type: 'killNow' }
  | { type: 'startPart' | 'stopPart'; id: number; name: PartName };

/** What a supervisor answers. */
export type FromSupervisor =
  | { type: 'ready'; ports: StackPorts; dataDir: string }
  | { type: 'failed'; message: string }
  | { type: 'done'; id: number; message?: string | undefined };

const tell = (line: string) => process.stdout.write(`${line}\n`);

function answer(message: FromSupervisor): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

/** A message for a person: one line for what was foreseen, the whole story for what was not. */
const describe = (error: unknown): string =>
  error instanceof StackError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);

/**
 * Supervises one stack for the parent process that asks for it over the channel between them, until a stop, a signal or
 * the end of that parent. `inherited` is the environment that the parts get, besides what the parent sends.
 */
export function superviseStack(root: string, inherited: NodeJS.ProcessEnv): void {
  let supervisor: Supervisor | undefined;
  let leaving = false;

  const leave = async (code: number) => {
    if (leaving) return;
    leaving = true;
    await supervisor?.stop().catch((error: unknown) => tell(describe(error)));
    process.exit(code);
  };
  const fail = async (error: unknown) => {
    if (!leaving) answer({ type: 'failed', message: describe(error) });
    await leave(1);
  };

  const start = async (message: ToSupervisor & { type: 'start' }) => {
    const settings = readStackSettings(root, { ...inherited, ...message.environment }, message.scripts);
    supervisor = new Supervisor(settings, tell);
    const askedAtMs = message.askedAtMs ?? Date.now();
    await supervisor.start();
    if (leaving) return;
    tell(startupMessage(settings, Date.now() - askedAtMs));
    answer({ type: 'ready', ports: settings.ports, dataDir: settings.dataDir });
  };
  const change = async ({ type, id, name }: ToSupervisor & { type: 'startPart' | 'stopPart' }) => {
    const done = await supervisor?.[type](name).catch((error: unknown) => describe(error));
    answer({ type: 'done', id, message: done ?? undefined });
  };

  process.on('message', (message: ToSupervisor) => {
    if (message.type === 'start') start(message).catch(fail);
    else if (message.type === 'stop') void leave(0);
    else if (message.type === 'killNow') supervisor?.killNow();
    else void change(message);
  });
  process.on('disconnect', () => void leave(1));
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => void leave(0));
  // A closed terminal must not end the supervisor before it has stopped its parts.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', (error) => void fail(error));
}
