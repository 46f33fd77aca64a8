import { z } from 'zod';

/** A planned failure of the next `times` messages of a channel. With `webhook`: of the next events for the caller. */
export const injectedFailureSchema = z
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

export type InjectedFailure = z.infer<typeof injectedFailureSchema>;

/** The planned failures, and the requests that they keep without a response. */
export class FailureInjector {
  #plannedFailures: InjectedFailure[] = [];
  readonly heldRequests = new Set<() => void>();
  readonly #hangMs: number;

  constructor(hangMs: number) {
    this.#hangMs = hangMs;
  }

  replace(failures: InjectedFailure[]): void {
    this.#plannedFailures = failures.map((failure) => ({ ...failure }));
    if (failures.length === 0) this.#releaseAll();
  }

  remaining(): InjectedFailure[] {
    return this.#plannedFailures.map((failure) => ({ ...failure }));
  }

  /** Takes one use of the first failure planned for the channel. */
  take(channel: InjectedFailure['channel']): InjectedFailure | undefined {
    const failure = this.#plannedFailures.find((planned) => planned.channel === channel);
    if (!failure) return undefined;
    failure.times -= 1;
    if (failure.times === 0) this.#plannedFailures = this.#plannedFailures.filter((planned) => planned !== failure);
    return failure;
  }

  /** Holds a request without a response. Destroys its socket after a timeout, or when the failures are cleared. */
  hold(socket: { destroy(): unknown; once(event: 'close', listener: () => void): unknown }): void {
    const release = (): void => {
      clearTimeout(timer);
      this.heldRequests.delete(release);
      socket.destroy();
    };
    const timer = setTimeout(release, this.#hangMs);
    this.heldRequests.add(release);
    socket.once('close', release);
  }

  clear(): void {
    this.replace([]);
  }

  #releaseAll(): void {
    for (const release of [...this.heldRequests]) release();
  }
}
