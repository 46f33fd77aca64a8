import { z } from 'zod';
import type { FacePolicy } from '../../domain/biometrics/biometrics';
import { type TextChannel, textChannels } from '../../domain/confirmations/settings';
import { ConfigurationError } from '../../platform/config';
import { tenantName } from '../../platform/postgres/tenant-scope';

/** Biometrics settings of a tenant. */
export interface BiometricsSettings {
  /** Lifetime of a link, in seconds. */
  linkSeconds: number;
  /** Channels on which the service sends a link if the caller names no channel. */
  channels: readonly TextChannel[];
  /** Days after which images are erased. */
  imageDays: number;
  /** Lifetime of signed image URLs, in seconds. */
  imageUrlSeconds: number;
  /** Which answers of the face verifier approve the images. Absent: the service sends no images to the face verifier. */
  facePolicy?: FacePolicy;
}

/** A threshold below 0.5 would approve a face that probably belongs to another person. */
const threshold = z.number().min(0.5).max(1);
const [hourSeconds, daySeconds] = [3_600, 86_400];

/** The settings that BIOMETRICS_SETTINGS can change for a tenant. */
const changesSchema = z.strictObject({
  // Messages show whole hours, so the minimum is one hour.
  linkSeconds: z
    .number()
    .int()
    .min(hourSeconds)
    .max(7 * daySeconds),
  channels: z.array(z.enum(textChannels)).refine((given) => new Set(given).size === given.length, {
    error: 'must name each channel once',
  }),
  // At most ten years: Brazilian banks must keep data about the identity of customers this long (BCB Circular 3.978, article 67).
  imageDays: z.number().int().min(2).max(3_660),
  imageUrlSeconds: z.number().int().min(1).max(hourSeconds),
  facePolicy: z.strictObject({ approve: z.strictObject({ similarity: threshold, liveness: threshold }).optional() }),
});

const changesByTenantSchema = z.record(tenantName, changesSchema.partial());

const defaultSettings: BiometricsSettings = {
  linkSeconds: daySeconds,
  channels: [],
  imageDays: 90,
  imageUrlSeconds: 300,
};

/** Leaves out undefined values. In a spread, an undefined value would replace the default setting. */
const withoutUndefined = (settings: object) =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));

/** Returns the settings. Throws RangeError if images could be erased before they are reviewed. */
function checkSettings(tenant: string, settings: BiometricsSettings): BiometricsSettings {
  if (settings.imageDays * daySeconds < settings.linkSeconds + daySeconds)
    throw new RangeError(`${tenant}: imageDays must be at least a day longer than linkSeconds`);
  return settings;
}

/**
 * Reads BIOMETRICS_SETTINGS: an object with changes by tenant. The changes under `default` apply to every tenant. Returns a function that
 * returns the settings of a tenant. Throws ConfigurationError.
 */
export function configureBiometrics(json: string): (tenant: string) => BiometricsSettings {
  try {
    const changesByTenant = changesByTenantSchema.parse(JSON.parse(json));
    const fallback = { ...defaultSettings, ...withoutUndefined(changesByTenant['default'] ?? {}) };
    const settingsByTenant = new Map(
      Object.entries(changesByTenant).map(([tenant, change]) => [
        tenant,
        checkSettings(tenant, { ...fallback, ...withoutUndefined(change) }),
      ]),
    );
    return (tenant) => settingsByTenant.get(tenant) ?? fallback;
  } catch (error) {
    const issue = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new ConfigurationError(`BIOMETRICS_SETTINGS: ${issue}`);
  }
}
