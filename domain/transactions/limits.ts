/** Limits of the service that no flow can change. */
export const limits = {
  /**
   * Attempts in one transaction, for all its tokens together. Enough for three tokens with 5 attempts each. A fourth token does not
   * add attempts.
   */
  attemptsPerTransaction: 15,
  /** Wrong attempts for one phone or mailbox per day, over all transactions of a tenant. After that, the right code is rejected, too. */
  attemptsPerDestination: 20,
  /**
   * Wrong attempts for one phone or mailbox per day, over all tenants. After that, the right code is still accepted, so that one tenant
   * cannot lock out the persons of another tenant.
   */
  attemptsPerDestinationOfAllTenants: 100,
  /** Messages of one transaction over all channels. */
  sendsPerTransaction: 10,
  /** How many rejected messages the state keeps. They do not count for `sendsPerTransaction`, so there may be many. */
  rejectedSendsKept: 5,
  /** Messages to one phone or mailbox per day, over all transactions of a tenant. */
  sendsPerDestination: 5,
  /** Messages to one phone or mailbox per day, over all tenants. */
  sendsPerDestinationOfAllTenants: 20,
  /** Messages to one phone or mailbox per day that each tenant may send even if all tenants together have reached their limit. */
  sendsPerDestinationGuaranteed: 2,
  /** How long a message or a wrong attempt counts against the limits of its phone or mailbox: one day. */
  destinationWindowMs: 24 * 60 * 60_000,
  /** How many responses to commands a transaction keeps, for repeats with the same idempotency key. See `rememberedForMs`. */
  rememberedCommands: 50,
  /** How many responses to analyses a transaction keeps. The limit is separate, so that many analyses do not replace other responses. */
  rememberedAnalyses: 20,
  /** Total size of all remembered responses, in bytes of JSON. The state is part of payloads, which may have 2 MB at most. */
  rememberedBytes: 256 * 1_024,
  /** How long a response is kept. */
  rememberedForMs: 24 * 60 * 60_000,
  /**
   * How many responses to commands without an idempotency key a transaction keeps, for repeats by the service itself after a worker died.
   * Temporal runs ten updates of a workflow at a time, so no more can be repeated.
   */
  rememberedWithoutKey: 10,
  /** How long such a response is kept. The service repeats a command for 5 s at most. */
  rememberedWithoutKeyForMs: 60_000,
  /**
   * After this time without changes, the workflow of a transaction completes. The next command resumes the transaction. Longer than most
   * codes are valid: docs/decisions/0084.
   */
  idleMs: 10 * 60_000,
  /**
   * Concurrent analyses of one transaction. Temporal allows ten updates of a workflow at a time, and each analysis is one update. So six
   * updates are left for other commands, such as the check of a code.
   */
  concurrentAnalyses: 4,
  /** Scores and ratings of one transaction. Each takes at most 1 KB. The state is part of payloads, which may have 2 MB at most. */
  analysisEntries: 400,
} as const;

/** Adds milliseconds, which may be negative, to an ISO 8601 instant. */
export const addMs = (instant: string, ms: number): string => new Date(Date.parse(instant) + ms).toISOString();
