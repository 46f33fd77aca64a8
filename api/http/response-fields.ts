import { z } from 'zod';

/** ISO 8601 in UTC. */
export const utcTime = z.iso.datetime();

export const auditEntry = z.strictObject({
  at: utcTime,
  actor: z.string(),
  action: z.string(),
  detail: z.record(z.string(), z.unknown()),
});
