import { setTimeout as sleep } from 'node:timers/promises';

export interface ApiResponse {
  status: number;
  body: unknown;
}

interface ApiRequest {
  method: string;
  headers?: Record<string, string>;
  body?: string;
}

/** The API promises a response within 5 s; one that takes this long will not arrive. */
const answerWithinMs = 15_000;

/** After this time, a caller stops retrying, and its flow is lost. */
const patienceMs = 60_000;

/** The delay after a broken connection. */
const pauseMs = 1_000;

/** Responses that ask the caller to retry. */
const isTemporary = (status: number) => status === 503 || status === 429;

/** A caller as in the documentation: it repeats failed writes with the same Idempotency-Key. */
export class PatientCaller {
  /** Requests that were repeated. */
  repeats = 0;

  constructor(
    private readonly address: string,
    private readonly token: string,
  ) {}

  get(path: string): Promise<ApiResponse> {
    return this.#patiently(path, { method: 'GET' });
  }

  post(path: string, idempotencyKey: string, body?: object): Promise<ApiResponse> {
    return this.#write('POST', path, idempotencyKey, body);
  }

  put(path: string, idempotencyKey: string, body: object): Promise<ApiResponse> {
    return this.#write('PUT', path, idempotencyKey, body);
  }

  delete(path: string, idempotencyKey: string): Promise<ApiResponse> {
    return this.#write('DELETE', path, idempotencyKey);
  }

  #write(method: string, path: string, idempotencyKey: string, body?: object): Promise<ApiResponse> {
    const headers = { 'idempotency-key': idempotencyKey, ...(body && { 'content-type': 'application/json' }) };
    return this.#patiently(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  }

  async #patiently(path: string, request: ApiRequest): Promise<ApiResponse> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const answer = await this.#once(path, request).catch(() => undefined);
      if (answer && !isTemporary(answer.status)) return answer;
      if (Date.now() > deadline) {
        const last = answer ? `${answer.status} ${JSON.stringify(answer.body)}` : 'no answer';
        throw new Error(`${request.method} ${path} was repeated for ${patienceMs / 1_000} s: ${last}`);
      }
      this.repeats += 1;
      await sleep(answer?.retryAfterMs ?? pauseMs);
    }
  }

  async #once(path: string, request: ApiRequest) {
    const answer = await fetch(`${this.address}${path}`, {
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${this.token}` },
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const text = await answer.text();
    const retryAfter = Number(answer.headers.get('retry-after') ?? pauseMs / 1_000);
    return {
      status: answer.status,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
      retryAfterMs: retryAfter * 1_000,
    };
  }
}

/** Returns the response if it has this status, otherwise throws. */
export function expectStatus(status: number, answer: ApiResponse): ApiResponse {
  if (answer.status === status) return answer;
  throw new Error(`returned ${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`);
}
