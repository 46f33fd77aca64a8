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

/** The API answers within 15 s: at most 10 s until earlier commands of the transaction have ended, and 5 s for the command itself. */
const defaultResponseTimeoutMs = 15_000;

/** After this time, the confirmation counts as lost. A worker that is killed is replaced within seconds. */
const defaultRetryForMs = 60_000;

/** The delay before a repeat, without a response or without Retry-After. */
const retryDelayMs = 1_000;

const isTemporary = (status: number) => status === 503 || status === 429;

/** A caller that repeats each request after 503, 429 or no response. A repeated write has the same Idempotency-Key. */
export class RetryingCaller {
  repeatCount = 0;

  constructor(
    private readonly address: string,
    private readonly token: string,
    private readonly retryForMs = defaultRetryForMs,
    private readonly responseTimeoutMs = defaultResponseTimeoutMs,
  ) {}

  get(path: string): Promise<ApiResponse> {
    return this.#callWithRetries(path, { method: 'GET' });
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
    return this.#callWithRetries(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  }

  async #callWithRetries(path: string, request: ApiRequest): Promise<ApiResponse> {
    const deadline = Date.now() + this.retryForMs;
    for (;;) {
      const response = await this.#callOnce(path, request).catch(() => undefined);
      if (response && !isTemporary(response.status)) return response;
      if (Date.now() >= deadline) {
        const lastResponse = response ? `${response.status} ${JSON.stringify(response.body)}` : 'no answer';
        throw new Error(`${request.method} ${path} was repeated for ${this.retryForMs / 1_000} s: ${lastResponse}`);
      }
      this.repeatCount += 1;
      await sleep(response?.retryAfterMs ?? retryDelayMs);
    }
  }

  async #callOnce(path: string, request: ApiRequest) {
    const response = await fetch(`${this.address}${path}`, {
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${this.token}` },
      signal: AbortSignal.timeout(this.responseTimeoutMs),
    });
    const text = await response.text();
    const retryAfter = Number(response.headers.get('retry-after') ?? retryDelayMs / 1_000);
    return {
      status: response.status,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
      retryAfterMs: retryAfter * 1_000,
    };
  }
}

/** Throws if the status differs. */
export function expectStatus(status: number, response: ApiResponse): ApiResponse {
  if (response.status === status) return response;
  throw new Error(`returned ${response.status} instead of ${status}: ${JSON.stringify(response.body)}`);
}
