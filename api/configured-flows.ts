import { z } from 'zod';
import { defineFlow, type Flow } from '../domain/flow';
import { flows } from '../flows';
import { ConfigurationError } from '../platform/config';

const numbers = z.strictObject({
  expiresAfterSeconds: z.number().int().optional(),
  resendAfterSeconds: z.number().int().optional(),
  sendLimit: z.number().int().optional(),
  attemptLimit: z.number().int().optional(),
  codeDigits: z.number().int().optional(),
  resend: z.enum(['reuse', 'rotate']).optional(),
});

const settings = z.record(z.string(), numbers);

function changed(flow: Flow, { expiresAfterSeconds, resendAfterSeconds, ...plain }: z.infer<typeof numbers>): Flow {
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  const expiresAfterMs = expiresAfterSeconds === undefined ? flow.expiresAfterMs : expiresAfterSeconds * 1_000;
  const resendAfterMs = resendAfterSeconds === undefined ? flow.resendAfterMs : resendAfterSeconds * 1_000;
  // A pause longer than the life of the request would only mean that it cannot be sent again.
  return defineFlow({ ...flow, ...given, expiresAfterMs, resendAfterMs: Math.min(resendAfterMs, expiresAfterMs) });
}

/** The flows with the numbers that FLOW_SETTINGS changes, by name. Throws ConfigurationError for what cannot be. */
export function configureFlows(json: string): ReadonlyMap<string, Flow> {
  try {
    const changes = settings.parse(JSON.parse(json));
    const unknown = Object.keys(changes).find((name) => !flows.some((flow) => flow.name === name));
    if (unknown !== undefined) throw new Error(`There is no flow ${unknown}.`);
    return new Map(flows.map((flow) => [flow.name, changed(flow, changes[flow.name] ?? {})]));
  } catch (error) {
    throw new ConfigurationError(`FLOW_SETTINGS: ${error instanceof Error ? error.message : String(error)}`);
  }
}
