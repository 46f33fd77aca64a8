/** The time limits of a pool, in milliseconds. */
export const postgresTimeouts = {
  /** During an outage, callers get a response within 2 s. The wait for a connection may take half of this time. */
  connectionMs: 1_000,
  /** Every statement reads a few rows by index, so a statement that runs for 5 s is stuck. */
  statementMs: 5_000,
  /** Longer than `statementMs`, because Postgres reports its own timeout first, if it can. */
  queryMs: 5_500,
  idleInTransactionMs: 10_000,
};
