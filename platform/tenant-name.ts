import { z } from 'zod';

/** The name of a tenant. It is part of workflow ids, so it must not contain the separators in these ids. */
export const tenantName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and hyphens');
