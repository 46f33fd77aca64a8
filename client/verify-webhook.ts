import type { Event, Time } from './generated/schemas.ts';

/** What `POST /v1/webhooks/{webhookId}/test` sends. */
export interface TestEvent {
  id: string;
  type: 'webhook.test';
  at: Time;
}

/** An event that a webhook gets. Ignore types that you do not know: a newer service can have more. */
export type WebhookEvent = Event | TestEvent;

/**
 * Why a request is refused. `malformed`: a header or the body is invalid. `forged`: no signature matches. `too_old` and `too_new`: the time
 * of the request differs too much from the clock of this machine. `repeated`: the request is valid, but `isRepeated` has returned true for
 * its id. Answer a repeated request with 2xx, so that the service does not send it again.
 */
export type WebhookRefusal = 'malformed' | 'forged' | 'too_old' | 'too_new' | 'repeated';

/** `verifyWebhook` refuses the request. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal) {
    super(messages[reason]);
    this.reason = reason;
  }
}

const messages: Record<WebhookRefusal, string> = {
  malformed:
    'A header webhook-id, webhook-timestamp or webhook-signature is missing or wrong, or the body is not JSON.',
  forged: 'No signature matches. Check the secret, and verify the bytes of the body before anything parses them.',
  too_old: 'The request is too old. Check the clock of this server.',
  too_new: 'The request is from the future. Check the clock of this server.',
  repeated: 'This event was received before.',
};

export interface VerifyOptions {
  /** How far the time of a request may be in the past or in the future, in seconds. Default: 300, as Standard Webhooks recommends. */
  toleranceSeconds?: number;
  /**
   * Saves an id in your store, and returns whether the store already had this id. Called only for valid requests. A valid request can
   * arrive twice: the service repeats an event if your answer was lost. An attacker can also repeat a recorded request within the
   * tolerance.
   */
  isRepeated?: (id: string) => boolean | Promise<boolean>;
}

type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies a request of a webhook by Standard Webhooks, and returns its event. `body`: the bytes or the text of the body, as it arrived.
 * `secrets`: the secret of the webhook (`whsec_…`), or several while you change it. Throws WebhookVerificationError.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, isRepeated }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature')
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => decodeBase64(signature.slice('v1,'.length)));
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('malformed');
  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const content = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const list = typeof secrets === 'string' ? [secrets] : secrets;
  const keys = await Promise.all(list.map(importKey));
  const checks = keys.flatMap((key) => signatures.map((value) => crypto.subtle.verify('HMAC', key, value, content)));
  if (!(await Promise.all(checks)).includes(true)) throw new WebhookVerificationError('forged');
  const ageSeconds = Math.floor(Date.now() / 1_000) - Number(timestamp);
  if (ageSeconds > toleranceSeconds) throw new WebhookVerificationError('too_old');
  if (ageSeconds < -toleranceSeconds) throw new WebhookVerificationError('too_new');
  const event = parseEvent(text);
  if (await isRepeated?.(id)) throw new WebhookVerificationError('repeated');
  return event;
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : findValue(headers, name);
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError('malformed');
  return value;
}

/** Header names are case-insensitive. */
const findValue = (headers: Exclude<WebhookHeaders, Headers>, name: string) =>
  Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];

function importKey(secret: string) {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''));
  if (bytes.length === 0) throw new TypeError('The secret of the webhook is empty or not base64. Use its `whsec_…`.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Decodes base64. Returns no bytes for invalid base64, which is never a valid signature or secret. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array(0);
  }
}

function parseEvent(text: string): WebhookEvent {
  try {
    return JSON.parse(text) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError('malformed');
  }
}
