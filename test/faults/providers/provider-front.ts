import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../../dev/stack/free-port';

/**
 * What a provider does to the requests of the service. `down`: it refuses connections. `slow`: it answers after the deadline of the
 * request; it takes every second message, and loses the others. `no answer`: it takes the message, and the connection breaks. `late answer`:
 * it answers shortly before the deadline. `account refused`: it refuses the account of the service.
 */
export const requestFaults = ['down', 'slow', 'no answer', 'late answer', 'account refused'] as const;
export type RequestFault = (typeof requestFaults)[number];

/** The deadline of a request is 2.5 s, and half a second later, the service asks whether the provider has the message. */
const [lateMs, slowMs] = [1_500, 4_000];

/** The address of a provider: forwards requests to the inbox, unless the provider fails. */
export class ProviderFront {
  /** Called when the provider has accepted a message. If it returns true, the service gets no answer, and the connection stays open. */
  onAccepted: () => boolean = () => false;
  #fault: RequestFault | undefined;
  #inboxAddress = '';
  #slowMessages = 0;

  private constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {
    server.on('request', (request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async open(): Promise<ProviderFront> {
    const front = new ProviderFront(createServer(), await findFreePort());
    await front.#listen();
    return front;
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Must be called before the first request. */
  forwardTo(inboxAddress: string): void {
    this.#inboxAddress = inboxAddress;
  }

  /** Undefined: the provider works again. */
  async setFault(fault: RequestFault | undefined): Promise<void> {
    this.#fault = fault;
    if (fault === 'down') await this.close();
    else if (!this.server.listening) await this.#listen();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  async #listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.port, '127.0.0.1', () => resolve(void this.server.off('error', reject)));
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = this.#fault;
    // Searches are GET requests.
    const isMessage = request.method === 'POST';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (fault === 'slow' && isMessage && (this.#slowMessages += 1) % 2 === 0) {
      await sleep(slowMs);
      return void response.destroy();
    }
    const answer = await fetch(`${this.#inboxAddress}${request.url}`, {
      method: request.method ?? 'GET',
      headers: {
        'content-type': request.headers['content-type'] ?? 'application/json',
        authorization: fault === 'account refused' ? 'wrong' : (request.headers.authorization ?? ''),
      },
      ...(isMessage && { body: Buffer.concat(chunks) }),
    });
    const body = await answer.text();
    if (isMessage && answer.ok && this.onAccepted()) return;
    if (isMessage && fault === 'no answer') return void response.destroy();
    if (fault === 'slow') await sleep(slowMs);
    if (fault === 'late answer') await sleep(lateMs);
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(body);
  }
}
