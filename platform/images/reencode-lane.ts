import path from 'node:path';
import { Worker } from 'node:worker_threads';

/** What became of one piece of work: an answer, or nothing because its thread hung or died of it. */
export type LaneOutcome = { answer: unknown } | 'lost';

/** A thread that is given one piece of work at a time, and is replaced when it dies of it or takes too long. */
export interface Lane {
  /** Throws when no thread can be started: that is not the fault of the work. */
  run(work: unknown, transfer?: readonly ArrayBuffer[]): Promise<LaneOutcome>;
  close(): Promise<void>;
}

export interface LaneOptions {
  /** For one piece of work, and for the start of the thread. */
  timeLimitMs: number;
  /** Handed to the thread once, at its start. */
  workerData: unknown;
  /** Plain JavaScript that says 'ready' and then answers each message with one. */
  threadFile?: string;
}

/** For the JavaScript of the thread, whose own objects are few: pixels and files lie outside and have limits of their own. */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

function startThread({ threadFile, workerData }: LaneOptions): Worker {
  const file = threadFile ?? path.join(__dirname, 'reencode-thread.mjs');
  // A thread that reads what strangers sent has no need of the settings, secrets among them.
  const thread = new Worker(file, { workerData, resourceLimits, env: {}, execArgv: [] });
  // An idle thread keeps no process from ending.
  thread.unref();
  return thread;
}

/** The next message of a thread; `lost` when it fails, ends, or stays silent for too long. */
async function nextMessage(thread: Worker, timeLimitMs: number): Promise<{ answer: unknown } | { lost: unknown }> {
  let timer: NodeJS.Timeout | undefined;
  const listeners: [string, (value: unknown) => void][] = [];
  const listen = (event: string, act: (value: unknown) => void) => {
    listeners.push([event, act]);
    thread.on(event, act);
  };
  try {
    return await new Promise((resolve) => {
      timer = setTimeout(() => resolve({ lost: new Error('The thread is silent.') }), timeLimitMs);
      listen('message', (answer) => resolve({ answer }));
      listen('messageerror', (lost) => resolve({ lost }));
      listen('error', (lost) => resolve({ lost }));
      listen('exit', () => resolve({ lost: new Error('The thread has ended.') }));
    });
  } finally {
    clearTimeout(timer);
    for (const [event, act] of listeners) thread.off(event, act);
  }
}

/** A lane whose thread starts with the first piece of work. */
export function createLane(options: LaneOptions): Lane {
  let thread: Worker | undefined;
  const drop = async () => {
    const dropped = thread;
    thread = undefined;
    await dropped?.terminate();
  };

  async function readyThread(): Promise<Worker> {
    if (thread) return thread;
    const started = startThread(options);
    // An error that no one waits for would end the process.
    started.on('error', () => undefined);
    started.once('exit', () => {
      if (thread === started) thread = undefined;
    });
    thread = started;
    const first = await nextMessage(started, options.timeLimitMs);
    if ('answer' in first) return started;
    void drop();
    throw new Error('No thread for images could be started.', { cause: first.lost });
  }

  return {
    async run(work, transfer = []) {
      const ready = await readyThread();
      ready.postMessage(work, transfer);
      const next = await nextMessage(ready, options.timeLimitMs);
      if ('answer' in next) return next;
      // Not waited for: native work inside the thread ends only when its own time limit stops it.
      void drop();
      return 'lost';
    },
    close: drop,
  };
}
