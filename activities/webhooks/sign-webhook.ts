import { createHmac } from 'node:crypto';

/**
 * The headers of a request with an event, by the Standard Webhooks specification. There is one signature (v1, HMAC-SHA256) for each key.
 * `at` is the time of the attempt and not of the event, because receivers reject old timestamps.
 */
export function signWebhook(
  { id, body }: { id: string; body: string },
  keys: readonly Buffer[],
  at: Date,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const seconds = String(Math.floor(at.getTime() / 1_000));
  const sign = (key: Buffer) => createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': keys.map((key) => `v1,${sign(key)}`).join(' '),
  };
}
