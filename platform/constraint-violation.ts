/** SQLSTATE of a violation of a unique constraint. */
const uniqueViolation = '23505';

/** Whether a statement of Postgres failed because another row has a value that must be unique. */
export const isUniqueViolation = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === uniqueViolation;
