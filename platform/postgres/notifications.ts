import { Client } from 'pg';
import { errorName, type Logger } from '../logger';

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
