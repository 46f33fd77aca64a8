import { createHash } from 'node:crypto';
import { Client } from 'pg';

const nameByText = new Map<string, string>();

/** The name of the prepared statement for a text. All texts are constants in the code, so there are few names. */
function nameOf(text: string): string {
  const knownName = nameByText.get(text);
  if (knownName !== undefined) return knownName;
  const name = createHash('sha256').update(text).digest('base64url');
  nameByText.set(text, name);
  return name;
}

type AnyQuery = (text: unknown, ...rest: unknown[]) => unknown;

/** A connection on which Postgres parses and plans each statement with values once (docs/decisions/0054). */
export class PreparingClient extends Client {
  override readonly query = ((text, ...rest) => {
    const [values] = rest;
    const isPrepared = typeof text === 'string' && Array.isArray(values);
    return (super.query as AnyQuery)(isPrepared ? { name: nameOf(text), text } : text, ...rest);
  }) as AnyQuery as Client['query'];
}

/**
 * Tells Postgres to plan a statement once for all values. Without this setting, Postgres planned the graph query again for each
 * assessment, which took 3 ms of CPU time.
 */
export const genericPlanSetting = 'set plan_cache_mode = force_generic_plan';

/** SQLSTATEs: the statement is unknown, or it would return other types than when it was prepared. */
const staleStatementCodes: readonly unknown[] = ['26000', '0A000'];

/**
 * Whether the prepared statements of a connection are out of date: after DISCARD ALL, or after a migration. The statement did not run.
 * Only a new connection helps.
 */
export const hasStaleStatements = (error: unknown): error is Error =>
  error instanceof Error && staleStatementCodes.includes((error as Error & { code?: unknown }).code);
