import { z } from 'zod';

/** Tenant names are part of workflow ids, so they contain no separators. */
export const tenantName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and hyphens');
