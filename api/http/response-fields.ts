import { z } from 'zod';

/** ISO 8601 in UTC. */
export const time = z.iso.datetime();

/** ISO 8601 with an offset, as SPEC has identifierDate. */
export const instant = z.iso.datetime({ offset: true });

export const auditEntry = z.strictObject({
  at: time,
  actor: z.string(),
  action: z.string(),
  detail: z.record(z.string(), z.unknown()),
});
