import type { Deadline } from './deadline.ts';
import { CountersignConnectionError, CountersignError } from './errors.ts';

export interface HttpRequest {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

/** A successful answer. `data`: its parsed JSON, the text of a body that is not JSON, or undefined without a body. */
export interface HttpResult {
  data: unknown;
  response: Response;
}

/**
 * Sends a request once. `attemptMs`: how long to wait for the whole answer. Throws CountersignError if the API answers with an error, and
 * CountersignConnectionError if there is no valid answer. Also throws the errors of `Deadline.check`.
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
  const data = parse(response, text);
  if (!response.ok) throw new CountersignError(response, data);
  return { data, response };
}

function parse(response: Response, text: string): unknown {
  if (text === '') return undefined;
  if (!/[/+]json\b/.test(response.headers.get('content-type') ?? '')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new CountersignConnectionError('The body of the answer is not valid JSON.', { cause });
  }
}
