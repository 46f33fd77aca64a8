import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { type AnyQuery, runTraced } from './traced-client';

const nameByText = new Map<string, string>();

/** The name of the prepared statement for an SQL text. All SQL texts are constants in the code, so there are few names. */
function nameOf(text: string): string {
  const knownName = nameByText.get(text);
  if (knownName !== undefined) return knownName;
  const name = createHash('sha256').update(text).digest('base64url');
  nameByText.set(text, name);
  return name;
}

/** A connection that prepares statements with values: Postgres parses and plans each of them only once (docs/decisions/0054). */
export class PreparingClient extends Client {
  override readonly query = ((text, ...rest) => {
    const isPrepared = typeof text === 'string' && Array.isArray(rest[0]);
    const query = isPrepared ? { name: nameOf(text), text } : text;
    return runTraced(text, rest, () => (super.query as AnyQuery)(query, ...rest));
  }) as AnyQuery as Client['query'];
}

/**
 * Tells Postgres to plan a prepared statement only once, for all values. Without this setting, Postgres plans the query of the link graph
 * again for each assessment, which takes 3 ms of CPU time.
 */
export const genericPlanSetting = 'set plan_cache_mode = force_generic_plan';

/** SQLSTATEs. 26000: the prepared statement is unknown. 0A000: it would return other types than when it was prepared. */
const staleStatementCodes: readonly unknown[] = ['26000', '0A000'];

/**
 * Whether an error means that the prepared statements of a connection are out of date. This happens after DISCARD ALL, and after a
 * migration. The statement did not run. A retry needs a new connection.
 */
export const hasStaleStatements = (error: unknown): error is Error =>
  error instanceof Error && staleStatementCodes.includes((error as Error & { code?: unknown }).code);
