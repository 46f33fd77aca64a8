import { z } from 'zod';

/** An instant in an answer: ISO 8601 in UTC. */
export const time = z.iso.datetime();

/** An instant with its offset, as SPEC has identifierDate. */
export const instant = z.iso.datetime({ offset: true });

export const auditEntry = z.strictObject({
  at: time,
  actor: z.string(),
  action: z.string(),
  detail: z.record(z.string(), z.unknown()),
});
