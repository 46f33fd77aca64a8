/** Gives the access tokens for requests to the API. */
export interface TokenSource {
  /** A token that has probably not expired. */
  get(): Promise<string>;
  /** Forgets a token that the service rejected. Does nothing if the token was already replaced. */
  forget(token: string): void;
}

/** An access token, and how long it is valid. */
export interface IssuedToken {
  token: string;
  expiresInSeconds: number;
}

/**
 * A token is renewed 60 s before it expires, so that it does not expire during a request. But a token with a lifetime of less than 600 s is
 * renewed when nine tenths of its lifetime are over. Operators can set a lifetime of 60 s. Without this second rule, such a token would be
 * used only once.
 */
const renewBeforeMs = 60_000;

/** Keeps the access token of a client. Calls of `get` at the same time share one request for a new token. */
export class AccessTokens implements TokenSource {
  readonly #request: () => Promise<IssuedToken>;
  #current: { token: string; renewAtMs: number } | undefined;
  #pending: Promise<string> | undefined;

  constructor(request: () => Promise<IssuedToken>) {
    this.#request = request;
  }

  /** Throws the error of the request for a token. The next call then requests a token again. */
  get(): Promise<string> {
    if (this.#current && Date.now() < this.#current.renewAtMs) return Promise.resolve(this.#current.token);
    this.#pending ??= this.#renew().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  forget(token: string): void {
    if (this.#current?.token === token) this.#current = undefined;
  }

  async #renew(): Promise<string> {
    const requestedAtMs = Date.now();
    const { token, expiresInSeconds } = await this.#request();
    const lifetimeMs = expiresInSeconds * 1_000;
    const renewAtMs = requestedAtMs + lifetimeMs - Math.min(renewBeforeMs, lifetimeMs / 10);
    this.#current = { token, renewAtMs };
    return token;
  }
}
