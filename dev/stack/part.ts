export const partNames = ['postgres', 'temporal', 'inbox', 'worker', 'api'] as const;
export type PartName = (typeof partNames)[number];

interface Command {
  file: string;
  args: string[];
  environment: NodeJS.ProcessEnv;
  /** System user to run as, where it must not be the one that started the stack. */
  user?: { uid: number; gid: number } | undefined;
}

/** One process of the stack: how it is started, when it is ready, how it is asked to stop. */
export interface Part {
  name: PartName;
  /** Started when these are ready; stopped before they are. */
  after: PartName[];
  /** Brings what the process needs on disk into order. Runs before every start. */
  prepare?(): Promise<void>;
  command(): Command;
  /** True when the process does its work. Called repeatedly; may throw while it does not. */
  answers(): Promise<boolean>;
  stopSignal: NodeJS.Signals;
  /** After this the process is killed. */
  stopWithinMs: number;
}

/** Loopback: a part that does not answer in this time is busy, and is called again. */
const answerWithinMs = 2_000;

/** True when this address answers with 2xx. Throws when nothing answers. */
export async function isOk(address: string): Promise<boolean> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(answerWithinMs) });
  await answer.body?.cancel();
  return answer.ok;
}
