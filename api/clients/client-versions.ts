import type { Pool } from '../../platform/postgres/postgres';
import type { Caller } from '../http/auth/access-tokens';
import { type ClientChanges, findClientChanges } from './clients.sql';
import type { Logger } from '../../platform/logger';
import { PolledValue } from '../../platform/postgres/polled-value';
import { Problem } from '../http/problem';

/**
 * The recent changes of clients: clients that changed, and secrets that were removed. Access tokens from before a change may not have
 * expired yet. All API processes read the changes, so they soon reject these access tokens. While Postgres does not answer, nobody can
 * change a client, so the changes that were read last are still complete.
 */
export class ClientVersions {
  readonly #changes: PolledValue<ClientChanges>;

  constructor({ pool, logger }: { pool: Pool; logger: Logger }) {
    this.#changes = new PolledValue(
      () => findClientChanges(pool),
      logger,
      'changes of clients cannot be read; until this works again, access tokens stay valid after a change of their client',
    );
  }

  stop(): void {
    this.#changes.stop();
  }

  get isLoaded(): boolean {
    return this.#changes.value !== undefined;
  }

  /**
   * Whether an access token is still current: since it was issued, its client has not changed, and its secret was not removed. Tokens of
   * the outside issuer are always current. Throws service_unavailable until the first load.
   */
  isCurrent({ clientId, clientVersion, secretId }: Caller): boolean {
    const changes = this.#changes.value;
    if (!changes) throw new Problem('service_unavailable');
    if (secretId !== undefined && changes.removedSecrets.has(secretId)) return false;
    if (clientVersion === undefined) return true;
    return clientVersion >= (changes.versions.get(clientId) ?? 0);
  }

  /** Reads the changes once. Never rejects: after an error, the next interval tries again. */
  load(): Promise<void> {
    return this.#changes.load();
  }
}
