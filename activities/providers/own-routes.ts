import { LRUCache } from 'lru-cache';
import type { Channel } from '../../domain/confirmations/settings';
import { type OwnMessaging, ownMessagingSchema } from '../../messages/own-messaging';
import type { WorkerConfig } from '../../platform/config';
import type { Keys } from '../../platform/keys/service-keys';
import { errorName, type Logger } from '../../platform/logger';
import type { Pool } from '../../platform/postgres/postgres';
import { findOwnMessaging, openOwnMessaging } from '../../store/messages/own-messaging.sql';
import { DeliveryError, type OutgoingMessage } from './provider';
import { retryableError } from '../messages/delivery-errors';
import type { ChannelRoute, Route } from './routes';

/** The open providers of a tenant. */
interface OpenedRoutes {
  channels: Partial<Record<Channel, ChannelRoute>>;
  routeOf: (message: OutgoingMessage) => Route;
  close: () => void;
}

/** What this worker knows of a tenant. Without `opened`, the tenant uses the providers of the service. */
interface Known {
  version: string | undefined;
  checkedAtMs: number;
  opened?: OpenedRoutes;
}

interface OwnRoutesDependencies {
  config: Pick<WorkerConfig, 'COUNTERSIGN_ENV'>;
  pool: Pool;
  keys: Keys;
  logger: Logger;
  open: (tenant: string, messaging: OwnMessaging) => OpenedRoutes;
}

/** Open mail connections of more tenants would need much memory. A tenant that sends again costs one query and a connection. */
const tenantsMax = 500;
/** A change of the settings takes effect within this time. A tenant that sends costs a query by primary key in this time. */
const checkEveryMs = 5_000;
/** An attempt to send takes at most 10 s, so nobody uses the connections any more. */
const closeAfterMs = 15_000;

/** The providers of tenants with messaging settings of their own, opened when a tenant first sends. */
export class OwnRoutes {
  readonly #known = new LRUCache<string, Known>({
    max: tenantsMax,
    dispose: ({ opened }) => void (opened && setTimeout(opened.close, closeAfterMs).unref()),
  });
  readonly #reading = new Map<string, Promise<Known>>();
  readonly #schema: ReturnType<typeof ownMessagingSchema>;

  constructor(private readonly dependencies: OwnRoutesDependencies) {
    this.#schema = ownMessagingSchema({ isLocal: dependencies.config.COUNTERSIGN_ENV === 'local' });
  }

  /**
   * The open providers of a tenant. Undefined if it has no settings of its own. If they cannot be read now, throws an error after which the
   * message is tried again: no other account may send it.
   */
  async find(tenant: string): Promise<OpenedRoutes | undefined> {
    const known = this.#known.get(tenant);
    if (known && performance.now() - known.checkedAtMs < checkEveryMs) return known.opened;
    const reading = this.#reading.get(tenant) ?? this.#read(tenant, known).finally(() => this.#reading.delete(tenant));
    this.#reading.set(tenant, reading);
    return (await reading).opened;
  }

  async #read(tenant: string, known: Known | undefined): Promise<Known> {
    const { pool, keys, logger, open } = this.dependencies;
    try {
      const saved = await findOwnMessaging(pool, tenant);
      const checkedAtMs = performance.now();
      if (known && known.version === saved?.version) return Object.assign(known, { checkedAtMs });
      const opened =
        saved && open(tenant, this.#schema.parse(await openOwnMessaging(pool, keys.serviceKeys, tenant, saved)));
      const read: Known = { version: saved?.version, checkedAtMs, ...(opened && { opened }) };
      this.#known.set(tenant, read);
      return read;
    } catch (error) {
      logger.error(
        { tenant, failure: errorName(error) },
        'the messaging settings of a tenant cannot be read: its messages wait',
      );
      throw retryableError(new DeliveryError('notSent', 'settingsUnreadable'), 'own');
    }
  }

  close(): void {
    for (const { opened } of this.#known.values()) opened?.close();
  }
}
