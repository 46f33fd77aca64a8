import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Returns `result`, and keeps size and type of each request. */
export class FakeFaceVerifier {
  result = { similarity: 0.97, liveness: 0.98, selfieFaces: 1, documentFaces: 1, notes: ['stand-in'] };
  /** `bytes`: the size of the body. `type`: the Content-Type. */
  readonly receivedRequests: { bytes: number; type: string }[] = [];
  /** If true, the face verifier responds only after `release`. */
  isHanging = false;
  readonly #pendingResponses: (() => void)[] = [];
  readonly #server: Server = createServer((request, response) => {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => {
      this.receivedRequests.push({ bytes, type: request.headers['content-type'] ?? '' });
      const respond = () =>
        void response.setHeader('content-type', 'application/json').end(JSON.stringify(this.result));
      if (this.isHanging) this.#pendingResponses.push(respond);
      else respond();
    });
  });

  /** Sends all pending responses, and responds to new requests at once. */
  release(): void {
    this.isHanging = false;
    for (const respond of this.#pendingResponses.splice(0)) respond();
  }

  /** Returns the address. */
  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/verify`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
