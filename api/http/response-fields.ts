import { z } from 'zod';
import type { Scope } from './auth/scopes';

/** ISO 8601 in UTC. */
export const utcTime = z.iso.datetime();

export const auditEntry = z.strictObject({
  at: utcTime,
  actor: z.string(),
  action: z.string(),
  detail: z.record(z.string(), z.unknown()),
});

/**
 * Marks a text that gives access to everyone who has it, such as a URL with a token. `needs`: what a caller must have to get it.
 * If this is not the scope of the route, the handler must leave the field out for other callers.
 */
export const capability = <Schema extends z.ZodType>(schema: Schema, needs: Scope | 'client secret'): Schema =>
  schema.meta({ 'x-needs': needs, description: `Gives access to everyone who has it. Needs: ${needs}` });
