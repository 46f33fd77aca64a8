/** Budgets that hold whatever a flow says. Each names why it has its size. */
export const limits = {
  /** Values evaluated in one transaction over all its tokens: three tokens' worth, so that new tokens do not buy guesses. */
  attemptsPerTransaction: 15,
  /** Wrong values for one phone or mailbox in a day over all transactions and tenants. */
  attemptsPerDestination: 20,
  /** Messages of one transaction over all channels. */
  sendsPerTransaction: 10,
  /** Refused messages kept for operators: a refusal takes nothing of the budget above, so a caller may cause any number. */
  refusedSendsKept: 5,
  /** Messages to one phone or mailbox in a day over all transactions and tenants: what a person may still find normal. */
  sendsPerDestination: 5,
  /** Window of the budgets per destination. */
  destinationWindowMs: 24 * 60 * 60_000,
  /** Answers remembered for idempotency across runs, and for how long. */
  rememberedAnswers: 50,
  /** Those of looks, which are many and cost nothing to repeat, apart, so that they crowd out none of a send. */
  rememberedAnalyses: 20,
  /** Characters of all of them as JSON, in which answers about runs have their paths: the state travels in payloads of 2 MB. */
  rememberedLength: 256 * 1_024,
  rememberedForMs: 24 * 60 * 60_000,
  /** A transaction that nothing has happened to for a day leaves memory and Temporal; the next write wakes it. */
  idleMs: 24 * 60 * 60_000,
  /** Events after which a run hands over to the next: half of what the server suggests, so that replay stays short. */
  historyEvents: 2_000,
  /** Analyses of one transaction that may wait for a look: Temporal takes ten updates at a time, and codes come first. */
  concurrentAnalyses: 4,
  /** Scores and ratings of one transaction, about 1 KB each at most: its state travels in payloads of 2 MB. */
  analysisEntries: 400,
} as const;
