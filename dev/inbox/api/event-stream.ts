import type { RequestHandler, Response } from 'express';
import type { MessageStore } from '../message-store';
import { toConversationView } from './message-view';

/**
 * How often a heartbeat is sent: a comment that the page ignores. It keeps the connection open, because some proxies close a connection
 * after a minute without data.
 */
const heartbeatMs = 15_000;

/** Sends every change of a message to all open pages of the inbox, as server-sent events. */
export class EventStream {
  readonly #openResponses = new Set<Response>();
  readonly #heartbeat: NodeJS.Timeout;

  constructor(store: MessageStore) {
    store.listen((event) => {
      if (this.#openResponses.size === 0) return;
      const data = event.kind === 'cleared' ? '{}' : JSON.stringify(toConversationView(event.message));
      this.#write(`event: ${event.kind}\ndata: ${data}\n\n`);
    });
    this.#heartbeat = setInterval(() => this.#write(': heartbeat\n\n'), heartbeatMs);
  }

  readonly handler: RequestHandler = (request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write('retry: 1000\n\n');
    this.#openResponses.add(response);
    request.on('close', () => this.#openResponses.delete(response));
  };

  stop(): void {
    clearInterval(this.#heartbeat);
    for (const response of this.#openResponses) response.end();
  }

  #write(text: string): void {
    for (const response of this.#openResponses) response.write(text);
  }
}
