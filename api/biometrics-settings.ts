import { z } from 'zod';
import type { FacePolicy } from '../domain/biometrics/biometrics';
import type { Channel } from '../domain/flow';
import { ConfigurationError } from '../platform/config';
import { tenantName } from './auth/clients';

/** How biometrics are done for a tenant. */
export interface BiometricsSettings {
  /** How long a link is open. */
  linkSeconds: number;
  /** Channels by which the service sends links when a caller names none. */
  channels: readonly Channel[];
  /** Days after which images are deleted. */
  imageDays: number;
  /** How long the addresses of images are good. */
  imageLinkSeconds: number;
  facePolicy?: FacePolicy;
}

const share = z.number().min(0).max(1);
const [hourSeconds, daySeconds] = [3_600, 86_400];

const changes = z.strictObject({
  // Nobody takes three pictures in less than a minute; what is not opened in a week is forgotten.
  linkSeconds: z
    .number()
    .int()
    .min(60)
    .max(7 * daySeconds),
  channels: z.array(z.enum(['sms', 'email', 'whatsapp'])).refine((given) => new Set(given).size === given.length, {
    error: 'names a channel twice',
  }),
  // Ten years are the longest that Brazilian law asks anybody to keep what proves an identity.
  imageDays: z.number().int().min(1).max(3_660),
  imageLinkSeconds: z.number().int().min(1).max(hourSeconds),
  facePolicy: z.strictObject({ approve: z.strictObject({ similarity: share, liveness: share }).optional() }),
});

const byTenant = z.record(tenantName, changes.partial());

const standard: BiometricsSettings = { linkSeconds: daySeconds, channels: [], imageDays: 90, imageLinkSeconds: 300 };

const given = (settings: object) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));

/**
 * Reads BIOMETRICS_SETTINGS: changes by tenant, `default` for those without their own. Gives what holds for a tenant.
 * Throws ConfigurationError for what cannot be.
 */
export function configureBiometrics(json: string): (tenant: string) => BiometricsSettings {
  try {
    const changed = byTenant.parse(JSON.parse(json));
    const fallback = { ...standard, ...given(changed['default'] ?? {}) };
    const own = new Map(Object.entries(changed).map(([tenant, change]) => [tenant, { ...fallback, ...given(change) }]));
    return (tenant) => own.get(tenant) ?? fallback;
  } catch (error) {
    throw new ConfigurationError(`BIOMETRICS_SETTINGS: ${error instanceof Error ? error.message : String(error)}`);
  }
}
