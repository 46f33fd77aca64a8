import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * The headers that the proxy forwards. The signature stays valid: Twilio signs only the body and the URL of a request, and the PUBLIC_URL
 * of the API is the address of the proxy.
 */
const forwardedHeaders = ['content-type', 'x-twilio-signature'] as const;

const isStatusCallback = (path: string) => path.startsWith('/webhooks/twilio/status/');

/**
 * A proxy between the provider and the API. While `blocksCallbacks` is true, it drops status callbacks: the requests with which the
 * provider reports a delivery status.
 */
export class CallbackProxy {
  blocksCallbacks = false;
  /** How often a callback reaches the API. 0: never, although the provider gets the answer that it did. */
  copiesOf: (path: string) => number = () => 1;
  #apiAddress = '';

  private constructor(
    private readonly server: Server,
    readonly address: string,
  ) {
    server.on('request', (request, response) => {
      this.#forward(request, response).catch(() => response.destroy());
    });
  }

  /** Must be called before the stack starts: the address of the proxy is the PUBLIC_URL of the stack. */
  static async open(): Promise<CallbackProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return new CallbackProxy(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  forwardTo(apiAddress: string): void {
    this.#apiAddress = apiAddress;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    if (this.blocksCallbacks && isStatusCallback(path)) return void response.destroy();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headerEntries = forwardedHeaders.map((name) => [name, request.headers[name]]);
    const headers = Object.fromEntries(headerEntries.filter(([, value]) => typeof value === 'string')) as Record<
      string,
      string
    >;
    const send = () => fetch(`${this.#apiAddress}${path}`, { method: 'POST', headers, body: Buffer.concat(chunks) });
    const [apiResponse] = await Promise.all(Array.from({ length: this.copiesOf(path) }, send));
    response.writeHead(apiResponse?.status ?? 204).end(await apiResponse?.text());
  }
}
