import { z } from 'zod';

/** ISO 8601 in UTC. */
export const utcTime = z.iso.datetime();

/** ISO 8601 with an offset, such as identifierDate in SPEC. */
export const timeWithOffset = z.iso.datetime({ offset: true });

export const auditEntry = z.strictObject({
  at: utcTime,
  actor: z.string(),
  action: z.string(),
  detail: z.record(z.string(), z.unknown()),
});
