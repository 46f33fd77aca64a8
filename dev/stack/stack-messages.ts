import type { PartName } from './part';
import type { StackPorts, StackSettings } from './settings';

/** What who starts a supervisor tells it; losing the channel means stop. */
export type ToSupervisor =
  | {
      type: 'start';
      environment?: NodeJS.ProcessEnv;
      scripts?: StackSettings['scripts'];
      /** When the person asked, for the time told with the addresses. */
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
