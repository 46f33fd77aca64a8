import { z } from 'zod';
import { checkSettings, type ConfirmationSettings } from '../../domain/confirmations/settings';
import { confirmations } from '../../flows/confirmations';
import { ConfigurationError } from '../../platform/config';

/** What FLOW_SETTINGS can change for a confirmation. */
const settingsChange = z.strictObject({
  expiresAfterSeconds: z.number().int().optional(),
  resendAfterSeconds: z.number().int().optional(),
  sendLimit: z.number().int().optional(),
  attemptLimit: z.number().int().optional(),
  codeDigits: z.number().int().optional(),
  resend: z.enum(['reuse', 'rotate']).optional(),
});

const settingsChanges = z.record(z.string(), settingsChange);

/** Returns the settings with a change of FLOW_SETTINGS. Throws if the result is invalid. */
function applyChange(
  settings: ConfirmationSettings,
  { expiresAfterSeconds, resendAfterSeconds, ...otherFields }: z.infer<typeof settingsChange>,
): ConfirmationSettings {
  const definedFields = Object.fromEntries(Object.entries(otherFields).filter(([, value]) => value !== undefined));
  const expiresAfterMs = expiresAfterSeconds === undefined ? settings.expiresAfterMs : expiresAfterSeconds * 1_000;
  const resendAfterMs = resendAfterSeconds === undefined ? settings.resendAfterMs : resendAfterSeconds * 1_000;
  // `Math.min` limits the pause to the lifetime of the code or question. With a longer pause, no resend would be possible.
  return checkSettings({
    ...settings,
    ...definedFields,
    expiresAfterMs,
    resendAfterMs: Math.min(resendAfterMs, expiresAfterMs),
  });
}

/**
 * Returns the settings of each built-in confirmation by its name, with the changes of FLOW_SETTINGS. Throws ConfigurationError if the
 * changes are invalid.
 */
export function configureConfirmations(json: string): ReadonlyMap<string, ConfirmationSettings> {
  try {
    const changes = settingsChanges.parse(JSON.parse(json));
    const unknownName = Object.keys(changes).find((name) => !confirmations.some((known) => known.name === name));
    if (unknownName !== undefined)
      throw new Error(`${unknownName} is not a confirmation. Use ${confirmations.map(({ name }) => name).join(', ')}.`);
    return new Map(confirmations.map((known) => [known.name, applyChange(known, changes[known.name] ?? {})]));
  } catch (error) {
    throw new ConfigurationError(`FLOW_SETTINGS: ${error instanceof Error ? error.message : String(error)}`);
  }
}
