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
      const response = await this.#once(path, request).catch(() => undefined);
      if (response && !isTemporary(response.status)) return response;
      if (Date.now() > deadline) {
        const last = response ? `${response.status} ${JSON.stringify(response.body)}` : 'no answer';
        throw new Error(`${request.method} ${path} was repeated for ${patienceMs / 1_000} s: ${last}`);
      }
      this.repeats += 1;
      await sleep(response?.retryAfterMs ?? pauseMs);
    }
  }

  async #once(path: string, request: ApiRequest) {
    const response = await fetch(`${this.address}${path}`, {
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${this.token}` },
      signal: AbortSignal.timeout(answerWithinMs),
    });
    const text = await response.text();
    const retryAfter = Number(response.headers.get('retry-after') ?? pauseMs / 1_000);
    return {
      status: response.status,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
      retryAfterMs: retryAfter * 1_000,
    };
  }
}

/** Returns the response if it has this status, otherwise throws. */
export function expectStatus(status: number, response: ApiResponse): ApiResponse {
  if (response.status === status) return response;
  throw new Error(`returned ${response.status} instead of ${status}: ${JSON.stringify(response.body)}`);
}
