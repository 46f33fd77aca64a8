import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { once } from 'node:events';
import type { WebhookFailure } from '../../domain/webhooks/webhooks';
import { inSpan } from '../../platform/telemetry/spans';
import { deadline, readWithLimit } from '../http-requests';
import {
  createPublicLookup,
  isPublicAddress,
  PrivateAddressError,
  type ResolveName,
} from '../../platform/ip-addresses';
import { Webhook } from 'standardwebhooks';

/**
 * The time limit for the DNS lookup, the connection and the whole response together. It is enough for a receiver that stores the event and
 * processes it later.
 */
const responseTimeoutMs = 10_000;
/** Maximum size of a body. A longer body is not read to its end, and its connection is aborted. */
const bytesMax = 16 * 1024;
/** How many characters of a body are kept, to show them to the developer of the receiver. */
const bodyCharactersMax = 1_000;

/** The response of a receiver: its status, the start of its body, and how long the receiver asks us to wait (header Retry-After). */
export interface WebhookResponse {
  status: number;
  /** Without control characters. */
  body: string;
  retryAfterMs?: number;
}

/** Posts the JSON `body` to a webhook. Returns the response, or why there is none. */
export type PostWebhook = (
  url: string,
  headers: Record<string, string>,
  body: string,
) => Promise<WebhookResponse | WebhookFailure>;

/** A receiver may postpone an event by an hour at most, with the header Retry-After. */
const waitMaxMs = 3_600_000;

function retryAfterOf({ headers }: IncomingMessage): { retryAfterMs?: number } {
  const header = headers['retry-after'] ?? '';
  // The value 0 is ignored. The usual pause between two attempts then applies.
  return /^[1-9]\d{0,8}$/.test(header) ? { retryAfterMs: Math.min(waitMaxMs, Number(header) * 1_000) } : {};
}

async function readBody(response: IncomingMessage): Promise<string> {
  const body = await readWithLimit(response, bytesMax).catch(() => undefined);
  return (body?.toString() ?? '').replaceAll(/\p{C}+/gu, ' ').slice(0, bodyCharactersMax);
}

/** Codes of errors of a TLS handshake, such as CERT_HAS_EXPIRED and DEPTH_ZERO_SELF_SIGNED_CERT. */
const isTlsError = (error: unknown) =>
  /CERT|^ERR_(TLS|SSL)|^EPROTO$|UNABLE_TO_VERIFY/.test(String((error as { code?: unknown }).code));

/**
 * Creates a function that posts JSON to a webhook, without redirects, keep-alive or the proxies of the environment. With
 * `publicOnly`, it sends only if every address of the name is public.
 */
export function createPostWebhook(settings: {
  publicOnly: boolean;
  timeoutMs?: number;
  resolve?: ResolveName;
}): PostWebhook {
  const { publicOnly, timeoutMs = responseTimeoutMs, resolve } = settings;
  const lookupOption = publicOnly ? { lookup: createPublicLookup(resolve) } : {};
  return async (url, headers, body) => {
    const { protocol, hostname } = new URL(url);
    // Node calls `lookup` only for names, not for IP addresses.
    if (publicOnly && isPublicAddress(hostname) === false) return 'private';
    const signal = deadline(timeoutMs);
    const request = (protocol === 'https:' ? https : http).request(url, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Countersign-Webhooks/1',
        ...headers,
      },
      signal,
      ...lookupOption,
    });
    // An aborted request emits a second error. Without a listener, it would end the process.
    request.on('error', () => undefined);
    try {
      const responseEvent = once(request, 'response', { signal });
      request.end(body);
      const [response] = (await inSpan('POST webhook', { 'http.request.method': 'POST' }, () => responseEvent)) as [
        IncomingMessage,
      ];
      return { status: response.statusCode ?? 0, body: await readBody(response), ...retryAfterOf(response) };
    } catch (error) {
      if (error instanceof PrivateAddressError) return 'private';
      if (isTlsError(error)) return 'tls';
      return signal.aborted ? 'timeout' : 'unreachable';
    } finally {
      request.destroy();
    }
  };
}

/**
 * The headers of a request with an event, by the Standard Webhooks specification. There is one signature for each key. `at` is the time
 * of the attempt and not of the event, because receivers reject old timestamps.
 */
export function signWebhook(
  { id, body }: { id: string; body: string },
  keys: readonly Buffer[],
  at: Date,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': keys.map((key) => new Webhook(key, { format: 'raw' }).sign(id, at, body)).join(' '),
  };
}
