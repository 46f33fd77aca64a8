import { z } from 'zod';
import { ConfigurationError } from './config';
import { tenantName } from './postgres/tenant-scope';

/** How many days after its last change a transaction is kept. After half a year, disputes about a confirmation are rare. */
const defaultDays = 180;

/** Ten years: the longest time for which a law requires such data. */
const daysMax = 3_653;

const schema = z.record(tenantName, z.int().min(1).max(daysMax));

/**
 * Reads RETENTION_DAYS: for how many days after its last change a transaction is kept, by tenant or `default`. Throws ConfigurationError.
 */
export function readRetentionDays(json: string): { default: number; byTenant: Readonly<Record<string, number>> } {
  try {
    const { default: days = defaultDays, ...byTenant } = schema.parse(JSON.parse(json));
    return { default: days, byTenant };
  } catch (error) {
    const issue = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new ConfigurationError(`RETENTION_DAYS: ${issue}`);
  }
}
