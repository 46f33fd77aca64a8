import { z } from 'zod';

/** A planned failure of the next `times` messages of a channel. The channel `webhook` stands for the events that the caller gets, and `template` for requests to approve WhatsApp templates. */
export const injectedFailureSchema = z
  .strictObject({
    channel: z.enum(['sms', 'whatsapp', 'voice', 'email', 'webhook', 'template']),
    /**
     * `status` responds with an error. `reset` and `acceptThenDrop` break the connection. `timeout` and `acceptThenHang` keep the
     * connection open without a response. The two kinds with `acceptThen` accept the message first. `undelivered` accepts the message, and
     * then reports that it was not delivered: nobody answers a call. `rejected` rejects a template.
     */
    kind: z.enum(['status', 'timeout', 'acceptThenDrop', 'acceptThenHang', 'reset', 'undelivered', 'rejected']),
    /** The status of the HTTP response. For e-mail, the reply code of SMTP. */
    status: z.number().int().min(400).max(599).optional(),
    /** The error code of the provider. */
    code: z.number().int().positive().optional(),
    times: z.number().int().min(1).max(1_000_000).default(1),
  })
  .refine(({ channel, kind }) => kind !== 'undelivered' || (channel !== 'email' && channel !== 'webhook'), {
    message: 'Only messages to phones have a delivery report',
    path: ['kind'],
  })
  .refine(({ channel, kind }) => (channel === 'template') === (kind === 'rejected'), {
    message: 'Templates have only the kind `rejected`, and only templates have it',
    path: ['kind'],
  })
  .refine(({ kind, status }) => kind !== 'status' || status !== undefined, {
    message: 'is required for the kind `status`: a number from 400 to 599',
    path: ['status'],
  });

export type InjectedFailure = z.infer<typeof injectedFailureSchema>;

/** Where the planned failures are kept. They are still planned after a restart. */
interface PlannedFailures {
  plannedFailures(): readonly InjectedFailure[];
  setPlannedFailures(failures: readonly InjectedFailure[]): void;
}

/** Fails requests as planned, and holds the open requests that get no response because of a planned failure. */
export class FailureInjector {
  /** One function for each held request. The function releases the request. */
  readonly heldRequests = new Set<() => void>();

  constructor(
    private readonly store: PlannedFailures,
    private readonly hangMs: number,
  ) {}

  replace(failures: readonly InjectedFailure[]): void {
    this.store.setPlannedFailures(failures);
    if (failures.length === 0) this.releaseAll();
  }

  plannedFailures(): readonly InjectedFailure[] {
    return this.store.plannedFailures();
  }

  /** Returns the first failure that is planned for the channel, and counts it as used once. */
  take(channel: InjectedFailure['channel']): InjectedFailure | undefined {
    const failures = this.plannedFailures();
    const failure = failures.find((planned) => planned.channel === channel);
    if (!failure) return undefined;
    const rest = failures.map((planned) => (planned === failure ? { ...failure, times: failure.times - 1 } : planned));
    this.store.setPlannedFailures(rest.filter(({ times }) => times > 0));
    return failure;
  }

  /**
   * Keeps a request open without a response. Destroys the socket of the request after a timeout, or when the planned failures are cleared.
   */
  hold(socket: { destroy(): unknown; once(event: 'close', listener: () => void): unknown }): void {
    const release = (): void => {
      clearTimeout(timer);
      this.heldRequests.delete(release);
      socket.destroy();
    };
    const timer = setTimeout(release, this.hangMs);
    this.heldRequests.add(release);
    socket.once('close', release);
  }

  clear(): void {
    this.replace([]);
  }

  /** Destroys the sockets of the held requests. */
  releaseAll(): void {
    for (const release of [...this.heldRequests]) release();
  }
}
