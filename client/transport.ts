import { AccessTokens, type IssuedToken, type TokenSource } from './access-tokens.ts';
import { checkAccessToken, readIssuedToken } from './check-token.ts';
import { Deadline } from './deadline.ts';
import { CountersignError, isProblem } from './errors.ts';
import { routes } from './generated/routes.ts';
import type { ArgumentsOf, CallOptions, OperationId, Result, ResultOf } from './operation.ts';
import { Pages } from './pages.ts';
import { withRetries } from './retry.ts';
import { type HttpRequest, type HttpResult, sendRequest } from './send-request.ts';
import { userAgent } from './user-agent.ts';

/** A client id with its secret, or a function that returns an access token, for example a token of your identity provider. */
export type Credentials =
  | {
      clientId: string;
      clientSecret: string;
      /** Scopes, separated by spaces. Default: all scopes of the client. */
      scope?: string | undefined;
    }
  | { accessToken: () => string | Promise<string> };

export interface TransportSettings {
  baseUrl: string;
  credentials: Credentials;
  timeoutMs: number;
  maxAttempts: number;
  fetch: typeof globalThis.fetch;
}

/**
 * The longest time of an attempt. The API answers a change within 15 s: at most 10 s until earlier changes of the transaction have ended,
 * and 5 s for the change itself.
 */
const attemptMs = 20_000;

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** What the arguments of all operations have in common. The types of `call` and `list` check the arguments of each operation. */
interface AnyArguments {
  path?: Record<string, string>;
  query?: Query;
  header?: Readonly<Record<string, string | undefined>>;
  body?: unknown;
}

type ItemOf<List> = List extends readonly (infer Item)[] ? Item : never;

/**
 * Replaces each name in braces in a path, such as `{id}`, with its value. Throws a TypeError for an empty value, `.` or `..`, because the
 * path would then lead to another operation.
 */
const fillPath = (template: string, values: Record<string, string>) =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    if (['', '.', '..'].includes(value)) throw new TypeError(`${name} must not be "${value}".`);
    return encodeURIComponent(value);
  });

/** Sends requests of operations, with access tokens, retries and idempotency keys. */
export class Transport {
  readonly #settings: TransportSettings;
  readonly #tokens: TokenSource;

  constructor(settings: TransportSettings) {
    const { credentials } = settings;
    this.#settings = settings;
    this.#tokens =
      'accessToken' in credentials
        ? { get: async () => checkAccessToken(await credentials.accessToken()), forget: () => undefined }
        : new AccessTokens(() => this.#requestToken(credentials));
  }

  /** Calls an operation. Throws CountersignError, CountersignConnectionError, CountersignTimeoutError, or the reason of the signal. */
  call<Id extends OperationId>(id: Id, request: ArgumentsOf<Id>, options?: CallOptions): Result<ResultOf<Id>> {
    const answer = this.#send(id, request as AnyArguments, options) as Promise<{
      data: ResultOf<Id>;
      response: Response;
    }>;
    const data = answer.then((result) => result.data);
    const withResponse = () => {
      // A program that uses only `answer` handles only the error of `answer`. Without this line, the same error of `data` would be an
      // unhandled rejection.
      data.catch(() => undefined);
      return answer;
    };
    return Object.assign(data, { withResponse });
  }

  /** A list in pages. `key`: the field of a page that has its items. */
  list<Id extends OperationId, Key extends keyof ResultOf<Id>>(
    id: Id,
    key: Key,
    request: ArgumentsOf<Id>,
    options?: CallOptions,
  ): Pages<ResultOf<Id>, ItemOf<ResultOf<Id>[Key]>> {
    const { query, body } = request as { query?: object; body?: object };
    // The request for the next page. A list that is read with POST has its parameters in the body.
    const at = (after: string | number) =>
      body ? { ...request, body: { ...body, after } } : { ...request, query: { ...query, after } };
    return new Pages(
      (after) => this.call(id, after === undefined ? request : (at(after) as ArgumentsOf<Id>), options),
      (page) => page[key] as ItemOf<ResultOf<Id>[Key]>[],
      (page) => (page as { next?: string | number }).next,
    );
  }

  async #send(id: OperationId, { path = {}, query = {}, header = {}, body }: AnyArguments, options: CallOptions = {}) {
    const { method, path: template, bodies, isRepeatable } = routes[id];
    const { timeoutMs = this.#settings.timeoutMs, maxAttempts = this.#settings.maxAttempts, signal } = options;
    const url = this.#url(fillPath(template, path), query);
    const headers = {
      accept: 'application/json, image/svg+xml',
      'user-agent': userAgent,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(options.language === undefined ? {} : { 'accept-language': options.language }),
      ...Object.fromEntries(Object.entries(header).filter(([, value]) => value !== undefined)),
      ...(method === 'GET' ? {} : { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() }),
    };
    const request = { url, method, headers, bodies, body: body === undefined ? undefined : JSON.stringify(body) };
    const deadline = new Deadline(timeoutMs, signal);
    // With the parameter `wait`, the API waits up to this many seconds before it answers.
    const waitMs = Number(query['wait'] ?? 0) * 1_000;
    const attempt = () => this.#sendWithToken(request, deadline, attemptMs + waitMs);
    return withRetries(attempt, { deadline, maxAttempts, isRepeatable });
  }

  /**
   * Sends a request. If the service rejects the access token, it has not executed the request. The request is then sent once more, with a
   * new token.
   */
  async #sendWithToken(request: HttpRequest, deadline: Deadline, withinMs: number): Promise<HttpResult> {
    const send = (token: string) => {
      const headers = { ...request.headers, authorization: `Bearer ${token}` };
      return sendRequest(this.#settings.fetch, { ...request, headers }, deadline, withinMs);
    };
    const token = await deadline.wait(() => this.#tokens.get());
    try {
      return await send(token);
    } catch (error) {
      if (!isProblem(error, 'unauthorized')) throw error;
      this.#tokens.forget(token);
      const renewed = await deadline.wait(() => this.#tokens.get());
      if (renewed === token) throw error;
      return send(renewed);
    }
  }

  /** Requests an access token. The request has its own deadline, because several calls can wait for the same token. */
  async #requestToken(credentials: Extract<Credentials, { clientId: string }>): Promise<IssuedToken> {
    const { clientId, clientSecret, scope } = credentials;
    const { timeoutMs, maxAttempts, fetch } = this.#settings;
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) });
    const request = {
      url: this.#url('/oauth2/token', {}),
      method: 'POST',
      headers: {
        accept: 'application/json',
        'user-agent': userAgent,
        authorization: `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: form.toString(),
      bodies: ['object'],
    };
    const deadline = new Deadline(timeoutMs);
    const attempt = () => sendRequest(fetch, request, deadline, attemptMs);
    const { data, response } = await withRetries(attempt, { deadline, maxAttempts, isRepeatable: true });
    const issued = readIssuedToken(data);
    if (issued === undefined) throw new CountersignError(response, data);
    return issued;
  }

  #url(path: string, query: Query): URL {
    const url = new URL(`${this.#settings.baseUrl.replace(/\/+$/, '')}${path}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    return url;
  }
}
