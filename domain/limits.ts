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
  /** Window of the limits per destination. */
  destinationWindowMs: 24 * 60 * 60_000,
  /** Responses kept for repeated idempotency keys, also after continue-as-new. `rememberedForMs`: how long they are kept. */
  rememberedCommands: 50,
  /** Analyses have a separate limit: there may be many, and they must not replace the responses to sends. */
  rememberedAnalyses: 20,
  /** Total size of all remembered responses, in characters of JSON. The state is part of 2 MB payloads. */
  rememberedCharacters: 256 * 1_024,
  rememberedForMs: 24 * 60 * 60_000,
  /** After this time without changes, a transaction completes its workflow. The next write resumes it. */
  idleMs: 24 * 60 * 60_000,
  /** Concurrent analyses of one transaction. Temporal allows ten updates at a time, and codes have priority. */
  concurrentAnalyses: 4,
  /** Scores and ratings of one transaction, at most 1 KB each: the state is part of 2 MB payloads. */
  analysisEntries: 400,
} as const;
