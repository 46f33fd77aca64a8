import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A local face verifier that returns `result`. It keeps the size and the type of each request. */
export class FakeFaceVerifier {
  result = { similarity: 0.97, liveness: 0.98, selfieFaces: 1, documentFaces: 1, notes: ['stand-in'] };
  /** The size of each request body in bytes, and its Content-Type. */
  readonly receivedRequests: { bytes: number; type: string }[] = [];
  /** If true, the face verifier accepts requests, but responds only after `release`. */
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

  /** Starts the face verifier and returns its address. */
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
