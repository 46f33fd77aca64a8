import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { deadline } from '../deadline';
import { readCapped } from '../read-capped';
import { isPublicAddress, PrivateAddressError, publicLookup, type Resolve } from './public-addresses';

/** For looking up the name, connecting and the whole response. Receivers should store the event first and process it later. */
const answerWithinMs = 3_000;
/** Only the status of a response is used; a response of a usual size is read to its end. */
const bytesMax = 16 * 1024;

/** The response of a receiver: its status, and how long it asks to wait. */
export interface WebhookAnswer {
  status: number;
  retryAfterMs?: number;
}

/** No response. A retry may help, except after `private`. */
export type WebhookError = 'timeout' | 'unreachable' | 'private';

export type PostWebhook = (
  url: string,
  headers: Record<string, string>,
  body: string,
) => Promise<WebhookAnswer | WebhookError>;

/** A receiver may postpone an event by an hour at most. */
const waitMaxMs = 3_600_000;

function retryAfterOf({ headers }: IncomingMessage): { retryAfterMs?: number } {
  const given = headers['retry-after'] ?? '';
  // A 0 is ignored: the retry policy defines the pause.
  return /^[1-9]\d{0,8}$/.test(given) ? { retryAfterMs: Math.min(waitMaxMs, Number(given) * 1_000) } : {};
}

/** Reads the response to its end, so that the receiver sees no aborted connection. */
async function finish(response: IncomingMessage): Promise<void> {
  await readCapped(response, bytesMax).catch(() => undefined);
}

/**
 * Posts JSON to a webhook, without redirects, keep-alive or the proxies of the environment. With `publicOnly`, it sends nothing
 * unless every address of the name is public.
 */
export function createPostWebhook(settings: {
  publicOnly: boolean;
  timeoutMs?: number;
  resolve?: Resolve;
}): PostWebhook {
  const { publicOnly, timeoutMs = answerWithinMs, resolve } = settings;
  const guard = publicOnly ? { lookup: publicLookup(resolve) } : {};
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
      ...guard,
    });
    // An aborted request emits a second error, which would end the process without a listener.
    request.on('error', () => undefined);
    try {
      const answered = once(request, 'response', { signal });
      request.end(body);
      const [response] = (await answered) as [IncomingMessage];
      await finish(response);
      return { status: response.statusCode ?? 0, ...retryAfterOf(response) };
    } catch (error) {
      if (error instanceof PrivateAddressError) return 'private';
      return signal.aborted ? 'timeout' : 'unreachable';
    } finally {
      request.destroy();
    }
  };
}
