import { z } from 'zod';

/** Tenant names stand inside workflow ids, so they hold nothing that could end one. */
export const tenantName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and hyphens');
