import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

export interface Arrival {
  id: string;
  sequence: number;
}

/** The server of the caller. It keeps the events of each transaction in order of their arrival, with repeats. */
export class WebhookReceiver {
  /** Requests whose signature does not match, or whose time is more than five minutes off. */
  rejectedCount = 0;
  /** The secret of the webhook, which the API returns when the webhook is created. */
  secret = '';
  readonly #arrivals = new Map<string, Arrival[]>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {
    server.on('request', (request, response) => {
      buffer(request).then(
        (body) => response.writeHead(this.#receive(String(body), request.headers as Record<string, string>)).end(),
        () => response.destroy(),
      );
    });
  }

  static async open(): Promise<WebhookReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return new WebhookReceiver(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  /** In order of arrival. */
  arrivalsOf(transactionId: string): readonly Arrival[] {
    return this.#arrivals.get(transactionId) ?? [];
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Returns the status of the response. */
  #receive(body: string, headers: Record<string, string>): number {
    try {
      new Webhook(this.secret).verify(body, headers);
    } catch {
      this.rejectedCount += 1;
      return 401;
    }
    const { id, sequence, transactionId } = JSON.parse(body) as Arrival & { transactionId: string };
    this.#arrivals.set(transactionId, [...this.arrivalsOf(transactionId), { id, sequence }]);
    return 204;
  }
}
