import { createHmac } from 'node:crypto';
import type { Keys } from './keys/keys';

/** What the secrets of a webhook depend on. */
export interface WebhookSecretSource {
  id: string;
  /** 1 for the first secret, and one more after each rotation. */
  secretVersion: number;
  /** Until this time, the earlier secret also signs. */
  earlierSecretUntil: Date | null;
}

/** The secret of a webhook with this version, derived from the root secret. */
const secretOf = ({ webhook }: Pick<Keys, 'webhook'>, id: string, version: number): Buffer =>
  createHmac('sha256', webhook)
    .update(JSON.stringify([id, version]))
    .digest();

/** The current secret of a webhook as callers get it, in the form of the Standard Webhooks specification. */
export const formatWebhookSecret = (keys: Pick<Keys, 'webhook'>, { id, secretVersion }: WebhookSecretSource): string =>
  `whsec_${secretOf(keys, id, secretVersion).toString('base64')}`;

/** The secrets that sign an event at the time `at`: the current secret, and until `earlierSecretUntil` also the earlier secret. */
export function webhookSecrets(
  keys: Pick<Keys, 'webhook'>,
  { id, secretVersion, earlierSecretUntil }: WebhookSecretSource,
  at: Date,
): Buffer[] {
  const versions = earlierSecretUntil && earlierSecretUntil > at ? [secretVersion, secretVersion - 1] : [secretVersion];
  return versions.map((version) => secretOf(keys, id, version));
}
