import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { errorName, type Logger } from '../../../platform/logger';
import { Problem } from '../problem';

/**
 * The timeout of one request to the issuer. The first token needs two requests (metadata and keys), so its caller waits at most twice this
 * time.
 */
const timeoutMs = 2_000;
/** The time between two regular reads of the keys. A key that the issuer has removed is rejected after this time at the latest. */
const refreshMs = 600_000;
/**
 * The pause after a request to the issuer. During the pause after a successful request, unknown key ids cause no request. During the pause
 * after a failed request, nothing causes a request. Without the pause, anybody could cause many requests with invented key ids.
 */
const defaultPauseMs = 5_000;

/** The fields of OpenID Connect Discovery 1.0 that are needed. */
const metadataSchema = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>;

/**
 * The public keys of an issuer, from its discovery document. While the issuer does not answer, the keys that were read last stay valid.
 * `pauseMs`: the pause after each request.
 */
export class IssuerKeys {
  readonly #timer: NodeJS.Timeout;
  readonly #pauseMs: number;
  #remote: Promise<RemoteKeys> | undefined;
  #failedAtMs = -Infinity;
  #isLogged = false;

  constructor(
    private readonly issuer: string,
    private readonly logger: Logger,
    pauseMs = defaultPauseMs,
  ) {
    this.#pauseMs = pauseMs;
    this.#timer = setInterval(() => void this.refresh(), refreshMs).unref();
    void this.refresh();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * Finds the key that verifies a token. Throws an error of jose if the issuer has no such key, and service_unavailable if the keys cannot
   * be read.
   */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    try {
      const remote = await this.#open();
      return await remote(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      throw new Problem('service_unavailable');
    }
  };

  /** Reads the discovery document and the keys again. Never rejects. */
  async refresh(): Promise<void> {
    const latest = this.#remote ? this.#discover() : this.#open();
    await latest
      .then(async (remote) => {
        await remote.reload();
        this.#remote = latest;
      })
      .catch(() => undefined);
  }

  /** Returns the reader of the keys. If there is none yet, `#discover` creates it. */
  #open(): Promise<RemoteKeys> {
    this.#remote ??= this.#discover().catch((error: unknown) => {
      this.#remote = undefined;
      throw error;
    });
    return this.#remote;
  }

  /** Reads the discovery document, and creates a reader of the keys at the address in it. */
  async #discover(): Promise<RemoteKeys> {
    const url = await this.#attempt(async () => {
      const address = `${this.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
      const { issuer, jwks_uri: keysUrl } = metadataSchema.parse(await fetchJson(address));
      if (issuer !== this.issuer) throw new Error('The document is of another issuer.');
      if (this.issuer.startsWith('https:') && !keysUrl.startsWith('https:'))
        throw new Error('The keys are not at https.');
      return new URL(keysUrl);
    });
    return createRemoteJWKSet(url, {
      cooldownDuration: this.#pauseMs,
      // Cached keys never expire, so an outage of the issuer does not remove them. `refresh` replaces them.
      cacheMaxAge: Infinity,
      [customFetch]: (address) => this.#attempt(async () => Response.json(await fetchJson(address))),
    });
  }

  /**
   * Runs `work`, a request to the issuer. After a failure, every call fails at once until the pause is over. Each outage is logged once.
   */
  async #attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    if (Date.now() < this.#failedAtMs + this.#pauseMs) throw new Error('The last request to the issuer failed.');
    try {
      const result = await work();
      this.#isLogged = false;
      return result;
    } catch (error) {
      this.#failedAtMs = Date.now();
      if (!this.#isLogged) this.logger.warn({ failure: errorName(error) }, 'the keys of OIDC_ISSUER cannot be read');
      this.#isLogged = true;
      throw error;
    }
  }
}

async function fetchJson(address: string): Promise<unknown> {
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new Error('The issuer did not answer with 200.');
  return response.json();
}
