import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A face verifier on this machine that finds what it is told to, and counts what it was sent. */
export class StandInVerifier {
  result = { similarity: 0.97, liveness: 0.98, selfieFaces: 1, documentFaces: 1, notes: ['stand-in'] };
  readonly received: { bytes: number; type: string }[] = [];
  /** It takes what comes and answers nothing, until `release`. */
  hangs = false;
  readonly #pendingResponses: (() => void)[] = [];
  readonly #server: Server = createServer((request, response) => {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => {
      this.received.push({ bytes, type: request.headers['content-type'] ?? '' });
      const answer = () => void response.setHeader('content-type', 'application/json').end(JSON.stringify(this.result));
      if (this.hangs) this.#pendingResponses.push(answer);
      else answer();
    });
  });

  /** Answers all that it was asked while it hung, and what comes from now on. */
  release(): void {
    this.hangs = false;
    for (const answer of this.#pendingResponses.splice(0)) answer();
  }

  /** Starts it and gives its address. */
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
