/** Limits of the service that no flow can change. */
export const limits = {
  /**
   * Attempts in one transaction, for all its tokens together: as many as three tokens with 5 attempts have. More tokens do not
   * give more attempts.
   */
  attemptsPerTransaction: 15,
  /** Wrong attempts for one phone or mailbox per day, over all transactions of a tenant. */
  attemptsPerDestination: 20,
  /** Wrong attempts for one phone or mailbox per day, over all tenants. A correct code is accepted even if other tenants have used these attempts. */
  attemptsPerDestinationOfAllTenants: 100,
  /** Messages of one transaction over all channels. */
  sendsPerTransaction: 10,
  /** Rejected messages that the state keeps. They do not count for `sendsPerTransaction`, so there may be many. */
  rejectedSendsKept: 5,
  /** Messages to one phone or mailbox per day, over all transactions of a tenant. */
  sendsPerDestination: 5,
  /** Messages to one phone or mailbox per day, over all tenants. */
  sendsPerDestinationOfAllTenants: 20,
  /** Messages that each tenant may always send to one phone or mailbox per day, even if all tenants together have reached their limit. */
  sendsPerDestinationGuaranteed: 2,
  /** The time in which messages and wrong attempts count against the limits of one phone or mailbox: a day. */
  destinationWindowMs: 24 * 60 * 60_000,
  /** How many responses are kept for repeats with the same idempotency key, also after continue-as-new. See `rememberedForMs`. */
  rememberedCommands: 50,
  /** Analyses have a separate limit: there may be many, and they must not replace the responses to sends. */
  rememberedAnalyses: 20,
  /** Total size of all remembered responses, in characters of JSON. The state is part of payloads, which may have 2 MB at most. */
  rememberedCharacters: 256 * 1_024,
  /** How long a response is kept. */
  rememberedForMs: 24 * 60 * 60_000,
  /** After this time without changes, a transaction completes its workflow. The next write resumes it. */
  idleMs: 24 * 60 * 60_000,
  /** Concurrent analyses of one transaction. Temporal allows ten updates at a time, and codes have priority. */
  concurrentAnalyses: 4,
  /** Scores and ratings of one transaction. Each has at most 1 KB. The state is part of payloads, which may have 2 MB at most. */
  analysisEntries: 400,
} as const;
