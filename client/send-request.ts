import type { Deadline } from './deadline.ts';
import { CountersignConnectionError, CountersignError } from './errors.ts';

export interface HttpRequest {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

/** A successful answer. `data`: its parsed JSON, the text of an SVG image, or undefined without a body. */
export interface HttpResult {
  data: unknown;
  response: Response;
}

/**
 * Sends a request once. `attemptMs`: how long to wait for the whole answer. Throws CountersignError if the API answers with an error, or
 * if an answer cannot be from the API (`unexpected_response`). Throws CountersignConnectionError if there is no complete answer. Also throws the errors of `Deadline.check`.
 */
export async function sendRequest(
  fetch: typeof globalThis.fetch,
  { url, ...init }: HttpRequest,
  deadline: Deadline,
  attemptMs: number,
): Promise<HttpResult> {
  const { response, text } = await deadline
    .run(async (signal) => {
      // A redirect could send the access token or the client secret to another address, so it is an error.
      const answer = await fetch(url, { ...init, body: init.body ?? null, redirect: 'error', signal });
      return { response: answer, text: await answer.text() };
    }, attemptMs)
    .catch((cause: unknown) => {
      deadline.check(cause);
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new CountersignConnectionError(`${init.method} ${url.pathname} got no answer: ${reason}`, { cause });
    });
  const type = mediaTypeOf(response);
  const data = parse(type, text);
  if (!response.ok || !isFromApi(response, type, data)) throw new CountersignError(response, data);
  return { data, response };
}

/** The content type without its parameters, in lower case. */
const mediaTypeOf = (response: Response): string =>
  (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/**
 * Whether a successful answer can be from the API: an object, a list, an SVG image, or nothing with status 204. A proxy or the sign-in page
 * of a network also answers with status 200.
 */
function isFromApi({ status }: Response, type: string, data: unknown): boolean {
  if (data === undefined) return status === 204;
  return type === 'image/svg+xml' || (type === 'application/json' && typeof data === 'object' && data !== null);
}

function parse(type: string, text: string): unknown {
  if (text === '') return undefined;
  if (!/[/+]json$/.test(type)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new CountersignConnectionError('The body of the answer is not valid JSON.', { cause });
  }
}
