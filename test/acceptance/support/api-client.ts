import type { ApiResponse } from './api-response';
import type { OpenApiContract } from './openapi-contract';

export interface RequestOptions {
  body?: unknown;
  /** In place of `body`. */
  rawBody?: string | Uint8Array;
  headers?: Record<string, string>;
  /** The Idempotency-Key. */
  key?: string;
  /** In place of the token of the `ApiClient`. With null, the request has no access token. */
  token?: string | null;
}

/** A caller over real HTTP. Throws if a response differs from /openapi.json. */
export class ApiClient {
  constructor(
    readonly address: string,
    private readonly contract: OpenApiContract,
    private readonly token: string,
  ) {}

  get(path: string, request: RequestOptions = {}): Promise<ApiResponse> {
    return this.request('GET', path, request);
  }

  post(path: string, request: RequestOptions = {}): Promise<ApiResponse> {
    return this.request('POST', path, request);
  }

  async request(
    method: string,
    path: string,
    { body, rawBody, headers, key, token = this.token }: RequestOptions = {},
  ): Promise<ApiResponse> {
    const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
    const startedAt = Date.now();
    const response = await fetch(`${this.address}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...headers,
      },
      ...(payload === undefined ? {} : { body: payload }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const apiResponse = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? (JSON.parse(text) as unknown) : undefined,
      durationMs: Date.now() - startedAt,
    };
    this.contract.check(method, path, apiResponse);
    return apiResponse;
  }

  /** Returns the path. Throws if the response is not 201. */
  async createTransaction(person: unknown): Promise<string> {
    const { status, body, text } = await this.post('/v1/transaction', { body: person });
    if (status !== 201) throw new Error(`POST /v1/transaction returned ${status}: ${text}`);
    return `/v1/transaction/${(body as { id: string }).id}`;
  }

  /** The body of GET …/all. */
  async getAll(path: string): Promise<AllBody> {
    return (await this.get(`${path}/all`)).body as AllBody;
  }
}

/** The fields of GET …/all that tests read. */
export interface AllBody {
  transaction: { verifiedEmail: boolean; phone?: { verified?: boolean }; [field: string]: unknown };
  scores: { value: number; reason: string; createdAt: string }[];
  ratings: { value: number; reason: string; relatedTo: string[] }[];
  insights: { code: string }[];
  smsToken?: { status: string; repliedAt?: string };
  biometrics?: { transactionID: string; status: string; createdAt: string; identifierDate: string };
}
