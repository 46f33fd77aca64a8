import type { Deadline } from './deadline.ts';
import { CountersignConnectionError, CountersignError } from './errors.ts';

export interface HttpRequest {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** What the body of a successful answer can be: `none` with status 204, a JSON `object` or `list`, or the content type of a text. */
  bodies: readonly string[];
}

/** A successful answer. `data`: its parsed JSON, the text of an SVG image, or undefined without a body. */
export interface HttpResult {
  data: unknown;
  response: Response;
}

/**
 * Sends a request once. `attemptMs`: how long to wait for the whole answer. Throws CountersignError if the API answers with an error, or
 * if an answer cannot be from the API (`unexpected_response`). Throws CountersignConnectionError if there is no complete answer. Also throws
 * the errors of `Deadline.check`.
 */
export async function sendRequest(
  fetch: typeof globalThis.fetch,
  { url, bodies, ...init }: HttpRequest,
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
  const { kind, data } = parse(response, text);
  if (!response.ok || !bodies.includes(kind)) throw new CountersignError(response, data);
  return { data, response };
}

/** The content type without its parameters, in lower case. */
const mediaTypeOf = (response: Response): string =>
  (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/**
 * The kind of the body, as in `HttpRequest.bodies`, and its data. A body that the API never sends has another kind: a proxy or the sign-in
 * page of a network also answers with status 200, perhaps with JSON as its content type.
 */
function parse(response: Response, text: string): { kind: string; data: unknown } {
  const type = mediaTypeOf(response);
  if (text === '') return { kind: response.status === 204 ? 'none' : 'empty', data: undefined };
  if (!/[/+]json$/.test(type)) return { kind: type, data: text };
  try {
    const data: unknown = JSON.parse(text);
    if (type !== 'application/json' || typeof data !== 'object' || data === null) return { kind: type, data };
    return { kind: Array.isArray(data) ? 'list' : 'object', data };
  } catch {
    return { kind: 'not JSON', data: text };
  }
}
