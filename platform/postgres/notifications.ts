import { Client } from 'pg';
import type { Logger } from '../logger';
import { errorName } from './postgres';

/** Pause before a lost connection is opened again. Postgres restarts within seconds, and one attempt per second is cheap. */
const reconnectAfterMs = 1_000;

export interface NotificationListener {
  /** Called with the text of each notification. */
  onNotification: (text: string) => void;
  /** Called after each time that the connection is opened, because notifications may have been lost while there was no connection. */
  onConnect: () => void;
}

/**
 * Listens to a notification channel of Postgres (LISTEN) on its own connection, until it is stopped. Connects again after an outage.
 * Notifications during an outage are lost.
 */
export class Notifications {
  #client: Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(
    private readonly databaseUrl: string,
    private readonly channel: string,
    private readonly logger: Logger,
    private readonly listener: NotificationListener,
  ) {
    void this.#connect();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    // TCP keep-alive detects a broken connection. Without keep-alive, nothing is sent on the connection between two notifications, so a
    // broken connection could stay unnoticed.
    const client = new Client({ connectionString: this.databaseUrl, connectionTimeoutMillis: 5_000, keepAlive: true });
    this.#client = client;
    const ended = new Promise<Error | undefined>((resolve) => {
      client.on('error', resolve).on('end', () => resolve(undefined));
    });
    client.on('notification', ({ payload = '' }) => this.listener.onNotification(payload));
    const failure = await this.#listenOn(client).then(
      () => ended,
      (error: Error) => error,
    );
    await client.end().catch(() => undefined);
    if (this.#stopped) return;
    this.logger.warn({ failure: errorName(failure) }, 'the connection for notifications was lost; connecting again');
    this.#retry = setTimeout(() => void this.#connect(), reconnectAfterMs);
  }

  async #listenOn(client: Client): Promise<void> {
    await client.connect();
    await client.query(`listen ${client.escapeIdentifier(this.channel)}`);
    this.listener.onConnect();
  }
}

/** How often the value is read. Polled values decide what callers may do, so a change must take effect soon. A read is one short query. */
const intervalMs = 1_000;

/**
 * After at most this time, every process sees a change: the time until the next read, and as much again for the read. The commands of
 * operators and the guides promise this time for revoked access tokens.
 */
export const seenWithinSeconds = (2 * intervalMs) / 1_000;

/**
 * A value of the database that every process reads again each second, so that all processes see a change within `seenWithinSeconds`. While
 * Postgres does not answer, or answers slowly, the process uses the last value.
 */
export class PolledValue<Value> {
  readonly #timer: NodeJS.Timeout;
  #value: Value | undefined;
  #isLogged = false;
  #loading: Promise<void> | undefined;

  /** `read`: reads the value from the database. `warning`: the text that is logged once in each outage. */
  constructor(
    private readonly read: () => Promise<Value>,
    private readonly logger: Logger,
    private readonly warning: string,
  ) {
    this.#timer = setInterval(() => void this.load(), intervalMs);
    void this.load();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Undefined until the first read has succeeded. */
  get value(): Value | undefined {
    return this.#value;
  }

  /** Reads the value once. Calls at the same time share one read. Never rejects: after an error, the next interval reads again. */
  load(): Promise<void> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    try {
      this.#value = await this.read();
      this.#isLogged = false;
    } catch (error) {
      if (!this.#isLogged && this.#value !== undefined) this.logger.warn({ failure: errorName(error) }, this.warning);
      this.#isLogged = true;
    }
  }
}
