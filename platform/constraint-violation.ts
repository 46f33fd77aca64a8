/** SQLSTATE of the violations of constraints. */
const codes = { unique: '23505', foreignKey: '23503' } as const;

const hasCode = (error: unknown, code: string) => (error as { code?: unknown } | undefined)?.code === code;

/** Whether a statement of Postgres failed because another row has a value that must be unique. */
export const isUniqueViolation = (error: unknown): boolean => hasCode(error, codes.unique);

/** Whether a statement of Postgres failed because the row that it names does not exist. */
export const isForeignKeyViolation = (error: unknown): boolean => hasCode(error, codes.foreignKey);
