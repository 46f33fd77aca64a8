import { createHash } from 'node:crypto';
import { Client } from 'pg';

const nameByText = new Map<string, string>();

/** The texts are constants of the SQL modules, so there are few. */
function nameOf(text: string): string {
  const name = nameByText.get(text) ?? createHash('sha256').update(text).digest('base64url');
  nameByText.set(text, name);
  return name;
}

type Query = (text: unknown, ...rest: unknown[]) => unknown;

/** A connection on which Postgres parses and plans each statement with values once (docs/decisions/0054). */
export class PreparingClient extends Client {
  override readonly query = ((text, ...rest) => {
    const [values] = rest;
    const isPrepared = typeof text === 'string' && Array.isArray(values);
    return (super.query as Query)(isPrepared ? { name: nameOf(text), text } : text, ...rest);
  }) as Query as Client['query'];
}

/**
 * Tells Postgres to plan a statement once for all values. All statements read few rows by an index, so the values do not change the
 * plan. Planning for each value took 3 ms of CPU time per assessment.
 */
export const planOnceStatement = 'set plan_cache_mode = force_generic_plan';

/** SQLSTATE of an unknown prepared statement. */
const unknownStatementCode = '26000';

/** Whether the server has lost the prepared statements of a connection, as after DISCARD ALL. Only a new connection fixes that. */
export const hasLostStatements = (error: unknown): error is Error =>
  error instanceof Error && (error as Error & { code?: unknown }).code === unknownStatementCode;
