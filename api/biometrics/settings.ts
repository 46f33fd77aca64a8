import { z } from 'zod';
import type { FacePolicy } from '../../domain/biometrics/biometrics';
import type { Channel } from '../../domain/confirmation-settings';
import { ConfigurationError } from '../../platform/config';
import { tenantName } from '../http/auth/tenant-name';

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

/** Below half, a threshold would let through what is more likely not the person. */
const threshold = z.number().min(0.5).max(1);
const [hourSeconds, daySeconds] = [3_600, 86_400];

const changes = z.strictObject({
  // Messages tell whole hours; what is not opened in a week is forgotten.
  linkSeconds: z
    .number()
    .int()
    .min(hourSeconds)
    .max(7 * daySeconds),
  channels: z.array(z.enum(['sms', 'email', 'whatsapp'])).refine((given) => new Set(given).size === given.length, {
    error: 'names a channel twice',
  }),
  // Ten years are the longest that Brazilian law asks anybody to keep what proves an identity.
  imageDays: z.number().int().min(2).max(3_660),
  imageLinkSeconds: z.number().int().min(1).max(hourSeconds),
  facePolicy: z.strictObject({ approve: z.strictObject({ similarity: threshold, liveness: threshold }).optional() }),
});

const byTenant = z.record(tenantName, changes.partial());

const standard: BiometricsSettings = { linkSeconds: daySeconds, channels: [], imageDays: 90, imageLinkSeconds: 300 };

const given = (settings: object) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));

/** An image that went before its link was over would leave a reviewer with nothing. */
function checked(tenant: string, settings: BiometricsSettings): BiometricsSettings {
  if (settings.imageDays * daySeconds < settings.linkSeconds + daySeconds)
    throw new RangeError(`${tenant}: imageDays is at least a day longer than linkSeconds`);
  return settings;
}

/**
 * Reads BIOMETRICS_SETTINGS: changes by tenant, `default` for those without their own. Gives what holds for a tenant.
 * Throws ConfigurationError for what cannot be.
 */
export function configureBiometrics(json: string): (tenant: string) => BiometricsSettings {
  try {
    const changed = byTenant.parse(JSON.parse(json));
    const fallback = { ...standard, ...given(changed['default'] ?? {}) };
    const own = new Map(
      Object.entries(changed).map(([tenant, change]) => [tenant, checked(tenant, { ...fallback, ...given(change) })]),
    );
    return (tenant) => own.get(tenant) ?? fallback;
  } catch (error) {
    const fault = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new ConfigurationError(`BIOMETRICS_SETTINGS: ${fault}`);
  }
}
