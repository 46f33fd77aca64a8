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
  // A pause longer than the life of the request would only mean that it cannot be sent again.
  return checkSettings({
    ...settings,
    ...given,
    expiresAfterMs,
    resendAfterMs: Math.min(resendAfterMs, expiresAfterMs),
  });
}

/** The confirmations with the numbers that FLOW_SETTINGS changes, by name. Throws ConfigurationError for what cannot be. */
export function configureConfirmations(json: string): ReadonlyMap<string, ConfirmationSettings> {
  try {
    const changes = settings.parse(JSON.parse(json));
    const unknown = Object.keys(changes).find((name) => !confirmations.some((flow) => flow.name === name));
    if (unknown !== undefined) throw new Error(`${unknown} is not a confirmation.`);
    return new Map(confirmations.map((flow) => [flow.name, withNumbers(flow, changes[flow.name] ?? {})]));
  } catch (error) {
    throw new ConfigurationError(`FLOW_SETTINGS: ${error instanceof Error ? error.message : String(error)}`);
  }
}
