import type { Logger } from '../../platform/logger';
import { errorName, type Pool } from '../../platform/postgres';
import type { Caller } from '../http/auth/access-tokens';
import { Problem } from '../http/problem';
import { findChangedClients } from './clients';

/** One short query per process. A revoked client can go on for this long, and for the time of the query. */
const intervalMs = 1_000;

/**
 * The versions of the clients that changed while their access tokens may still be valid. Reads them every second, so that all
 * API processes soon reject the access tokens of a revoked or changed client. While Postgres does not answer, nobody can change
 * a client, and the last versions apply.
 */
export class ClientVersions {
  readonly #timer: NodeJS.Timeout;
  #versions: ReadonlyMap<string, number> | undefined;
  #isLogged = false;
  #loading: Promise<void> | undefined;

  constructor(private readonly dependencies: { pool: Pool; logger: Logger }) {
    this.#timer = setInterval(() => void this.load(), intervalMs);
    void this.load();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  get isLoaded(): boolean {
    return this.#versions !== undefined;
  }

  /** Whether the client has not changed since the access token was issued. Throws service_unavailable until the first load. */
  isCurrent({ clientId, clientVersion }: Caller): boolean {
    if (!this.#versions) throw new Problem('service_unavailable');
    return clientVersion >= (this.#versions.get(clientId) ?? 0);
  }

  /** Reads the versions once, one read at a time. Never rejects: after an error, the next interval tries again. */
  load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    try {
      this.#versions = await findChangedClients(this.dependencies.pool);
      this.#isLogged = false;
    } catch (error) {
      // Once for each outage, and not every second.
      if (!this.#isLogged && this.isLoaded)
        this.dependencies.logger.warn(
          { failure: errorName(error) },
          'changes of clients cannot be read; access tokens stay valid until this works again',
        );
      this.#isLogged = true;
    }
  }
}
