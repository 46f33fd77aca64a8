import { z } from 'zod';
import { checkSettings, type ConfirmationSettings } from '../../domain/confirmation-settings';
import { confirmations } from '../../flows/confirmations';
import { ConfigurationError } from '../../platform/config';

const numbers = z.strictObject({
  expiresAfterSeconds: z.number().int().optional(),
  resendAfterSeconds: z.number().int().optional(),
  sendLimit: z.number().int().optional(),
  attemptLimit: z.number().int().optional(),
  codeDigits: z.number().int().optional(),
  resend: z.enum(['reuse', 'rotate']).optional(),
});

const settings = z.record(z.string(), numbers);

function withNumbers(
  settings: ConfirmationSettings,
  { expiresAfterSeconds, resendAfterSeconds, ...plain }: z.infer<typeof numbers>,
): ConfirmationSettings {
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  const expiresAfterMs = expiresAfterSeconds === undefined ? settings.expiresAfterMs : expiresAfterSeconds * 1_000;
  const resendAfterMs = resendAfterSeconds === undefined ? settings.resendAfterMs : resendAfterSeconds * 1_000;
  // A pause longer than the lifetime would prevent every resend.
  return checkSettings({
    ...settings,
    ...given,
    expiresAfterMs,
    resendAfterMs: Math.min(resendAfterMs, expiresAfterMs),
  });
}

/** Confirmation settings by name, with the changes of FLOW_SETTINGS. Throws ConfigurationError. */
export function configureConfirmations(json: string): ReadonlyMap<string, ConfirmationSettings> {
  try {
    const changes = settings.parse(JSON.parse(json));
    const unknown = Object.keys(changes).find((name) => !confirmations.some((known) => known.name === name));
    if (unknown !== undefined)
      throw new Error(`${unknown} is not a confirmation. Use ${confirmations.map(({ name }) => name).join(', ')}.`);
    return new Map(confirmations.map((known) => [known.name, withNumbers(known, changes[known.name] ?? {})]));
  } catch (error) {
    throw new ConfigurationError(`FLOW_SETTINGS: ${error instanceof Error ? error.message : String(error)}`);
  }
}
