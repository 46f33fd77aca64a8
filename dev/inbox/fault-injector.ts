import { z } from 'zod';

/** A planned failure: what happens to the next `times` messages of a channel, or events for the caller's webhook. */
export const injectedFaultSchema = z
  .strictObject({
    channel: z.enum(['sms', 'whatsapp', 'email', 'webhook']),
    kind: z.enum(['status', 'timeout', 'acceptThenDrop', 'acceptThenHang', 'reset', 'undelivered']),
    status: z.number().int().min(400).max(599).optional(),
    code: z.number().int().positive().optional(),
    times: z.number().int().min(1).max(1_000_000).default(1),
  })
  .refine(({ channel, kind }) => kind !== 'undelivered' || channel === 'sms' || channel === 'whatsapp', {
    message: 'Only messages to phones have a delivery report',
    path: ['kind'],
  });

export type InjectedFault = z.infer<typeof injectedFaultSchema>;

/** The list of planned failures, and the requests that were left without an answer because of one. */
export class FaultInjector {
  #planned: InjectedFault[] = [];
  readonly #held = new Set<() => void>();
  readonly #hangMs: number;

  constructor(hangMs: number) {
    this.#hangMs = hangMs;
  }

  replace(faults: InjectedFault[]): void {
    this.#planned = faults.map((fault) => ({ ...fault }));
    if (faults.length === 0) this.#releaseAll();
  }

  remaining(): InjectedFault[] {
    return this.#planned.map((fault) => ({ ...fault }));
  }

  /** Takes one use of the first failure planned for the channel. */
  take(channel: InjectedFault['channel']): InjectedFault | undefined {
    const fault = this.#planned.find((planned) => planned.channel === channel);
    if (!fault) return undefined;
    fault.times -= 1;
    if (fault.times === 0) this.#planned = this.#planned.filter((planned) => planned !== fault);
    return fault;
  }

  /** Keeps a request unanswered; its socket is destroyed after a while or when the faults are cleared. */
  hold(socket: { destroy(): unknown; once(event: 'close', listener: () => void): unknown }): void {
    const release = (): void => {
      clearTimeout(timer);
      this.#held.delete(release);
      socket.destroy();
    };
    const timer = setTimeout(release, this.#hangMs);
    this.#held.add(release);
    socket.once('close', release);
  }

  clear(): void {
    this.replace([]);
  }

  #releaseAll(): void {
    for (const release of [...this.#held]) release();
  }
}
