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

function changed(
  flow: ConfirmationSettings,
  { expiresAfterSeconds, resendAfterSeconds, ...plain }: z.infer<typeof numbers>,
): ConfirmationSettings {
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  const expiresAfterMs = expiresAfterSeconds === undefined ? flow.expiresAfterMs : expiresAfterSeconds * 1_000;
  const resendAfterMs = resendAfterSeconds === undefined ? flow.resendAfterMs : resendAfterSeconds * 1_000;
  // A pause longer than the life of the request would only mean that it cannot be sent again.
  return checkSettings({ ...flow, ...given, expiresAfterMs, resendAfterMs: Math.min(resendAfterMs, expiresAfterMs) });
}

/** The confirmations with the numbers that FLOW_SETTINGS changes, by name. Throws ConfigurationError for what cannot be. */
export function configureFlows(json: string): ReadonlyMap<string, ConfirmationSettings> {
  try {
    const changes = settings.parse(JSON.parse(json));
    const unknown = Object.keys(changes).find((name) => !confirmations.some((flow) => flow.name === name));
    if (unknown !== undefined) throw new Error(`There is no flow ${unknown}.`);
    return new Map(confirmations.map((flow) => [flow.name, changed(flow, changes[flow.name] ?? {})]));
  } catch (error) {
    throw new ConfigurationError(`FLOW_SETTINGS: ${error instanceof Error ? error.message : String(error)}`);
  }
}
