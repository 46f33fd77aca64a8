import http from 'node:http';
import https from 'node:https';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks';

/** Twilio waits 15 s for a response. */
const responseTimeoutMs = 15_000;
/** Maximum number of sockets to one receiver. With more, a burst of callbacks could exhaust the file descriptors of the receiver. */
const socketsMax = 64;

/** A request of a callback. */
interface Callback {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Posts callbacks (status callbacks and replies) to Countersign, with retries, as Twilio and the gateways do. */
export class CallbackSender {
  readonly #agents = {
    http: new http.Agent({ keepAlive: true, maxSockets: socketsMax }),
    https: new https.Agent({ keepAlive: true, maxSockets: socketsMax }),
  };
  readonly #requests = new Set<http.ClientRequest>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #stopped = false;
  readonly #authToken: string;
  readonly #retryPausesMs: readonly number[];
  readonly #log: (line: string) => void;

  constructor(authToken: string, retryPausesMs: readonly number[], log: (line: string) => void) {
    this.#authToken = authToken;
    this.#retryPausesMs = retryPausesMs;
    this.#log = log;
  }

  /** Posts a form with the signature of Twilio. Resolves after the first attempt; retries run in the background. Never rejects. */
  post(url: string, fields: Record<string, string>): Promise<void> {
    return this.#post(this.#formOf(url, fields));
  }

  /** Posts a form with the signature of Twilio once, and returns the text of the answer. Rejects if there is none with the status 2xx. */
  async ask(url: string, fields: Record<string, string>): Promise<string> {
    const { headers, body } = this.#formOf(url, fields);
    const signal = AbortSignal.timeout(responseTimeoutMs);
    const response = await fetch(url, { method: 'POST', headers, body, signal });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.text();
  }

  #formOf(url: string, fields: Record<string, string>): Callback {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'user-agent': 'TwilioProxy/1.1',
      'x-twilio-signature': getExpectedTwilioSignature(this.#authToken, url, fields),
    };
    return { url, headers, body: new URLSearchParams(fields).toString() };
  }

  /** Posts JSON, as gateways do. See `post`. */
  postJson(url: string, body: object): Promise<void> {
    return this.#post({ url, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  }

  async #post(callback: Callback): Promise<void> {
    const result = await this.#attempt(callback);
    if (result !== 'accepted') this.#retry(callback, 0, result);
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const request of this.#requests) request.destroy();
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #retry(callback: Callback, retries: number, lastError: string): void {
    if (this.#stopped) return;
    const pauseMs = this.#retryPausesMs[retries];
    if (pauseMs === undefined) {
      this.#log(`inbox: POST ${callback.url} failed ${retries + 1} times; no more retries: ${lastError}`);
      return;
    }
    const retry = async (): Promise<void> => {
      this.#timers.delete(timer);
      const result = await this.#attempt(callback);
      if (result !== 'accepted') this.#retry(callback, retries + 1, result);
    };
    const timer = setTimeout(() => void retry(), pauseMs);
    this.#timers.add(timer);
  }

  /** Posts once. Returns `accepted`, or why it failed. */
  #attempt({ url, headers, body }: Callback): Promise<string> {
    const isHttps = url.startsWith('https:');
    return new Promise((resolve) => {
      const request = (isHttps ? https : http).request(url, {
        method: 'POST',
        agent: isHttps ? this.#agents.https : this.#agents.http,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      });
      this.#requests.add(request);
      const timer = setTimeout(() => request.destroy(new Error('no response in time')), responseTimeoutMs);
      request.on('response', (response) => {
        const status = response.statusCode ?? 0;
        response.resume();
        response.on('end', () => resolve(status >= 200 && status < 300 ? 'accepted' : `status ${status}`));
      });
      request.on('error', (error) => resolve(error.message));
      request.on('close', () => {
        clearTimeout(timer);
        this.#requests.delete(request);
        resolve('connection closed');
      });
      request.end(body);
    });
  }
}
