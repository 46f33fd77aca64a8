import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { deadline } from '../deadline';
import { readCapped } from '../read-capped';
import { isPublicAddress, PrivateAddressError, publicLookup, type Resolve } from './public-addresses';

/** Looking up the name, connecting and the whole answer. Receivers keep the event and work on it afterwards. */
const answerWithinMs = 3_000;
/** Nothing in an answer but its status is looked at; a polite one is read to its end. */
const bytesMax = 16 * 1024;

/** What a receiver said: a status, and how long it asks to wait. */
export interface WebhookAnswer {
  status: number;
  retryAfterMs?: number;
}

/** No answer: `private` will not change by itself, the others may. */
export type WebhookError = 'timeout' | 'unreachable' | 'private';

export type PostWebhook = (
  url: string,
  headers: Record<string, string>,
  body: string,
) => Promise<WebhookAnswer | WebhookError>;

/** An hour is the longest that a receiver may put an event off. */
const waitMaxMs = 3_600_000;

function retryAfterOf({ headers }: IncomingMessage): { retryAfterMs?: number } {
  const given = headers['retry-after'] ?? '';
  // At once is no pause: then our own holds.
  return /^[1-9]\d{0,8}$/.test(given) ? { retryAfterMs: Math.min(waitMaxMs, Number(given) * 1_000) } : {};
}

/** Read so that the connection ends as the receiver expects; what becomes of the rest changes nothing. */
async function finish(response: IncomingMessage): Promise<void> {
  await readCapped(response, bytesMax).catch(() => undefined);
}

/**
 * Posts JSON to a webhook. Redirects are not followed, no connection is kept, and proxies of the environment are not
 * used. With `publicOnly`, nothing is sent unless every address of the name is a public one.
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
    // A connection to an IP address looks up no name.
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
    // The end of a connection that was given up is told once more, to nobody.
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
