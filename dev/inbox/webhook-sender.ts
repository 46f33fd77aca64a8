import http from 'node:http';
import https from 'node:https';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks';

/** The provider gives a receiver 15 s in all. */
const answerWithinMs = 15_000;
/** Sockets per receiver: a burst of callbacks must not exhaust its file descriptors. */
const socketsMax = 64;

/** Posts signed forms to the application's webhooks and tries again when they are not taken. */
export class WebhookSender {
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

  /** Resolves after the first try, whatever came of it; further tries go on by themselves. Never rejects. */
  async post(url: string, fields: Record<string, string>): Promise<void> {
    const outcome = await this.#attempt(url, fields);
    if (outcome !== 'taken') this.#retry(url, fields, 0, outcome);
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const request of this.#requests) request.destroy();
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #retry(url: string, fields: Record<string, string>, retries: number, last: string): void {
    if (this.#stopped) return;
    const pauseMs = this.#retryPausesMs[retries];
    if (pauseMs === undefined) {
      this.#log(`inbox: gave up posting to ${url} after ${retries + 1} tries: ${last}`);
      return;
    }
    const again = async (): Promise<void> => {
      this.#timers.delete(timer);
      const outcome = await this.#attempt(url, fields);
      if (outcome !== 'taken') this.#retry(url, fields, retries + 1, outcome);
    };
    const timer = setTimeout(() => void again(), pauseMs);
    this.#timers.add(timer);
  }

  #attempt(url: string, fields: Record<string, string>): Promise<string> {
    const body = new URLSearchParams(fields).toString();
    const secure = url.startsWith('https:');
    return new Promise((resolve) => {
      const request = (secure ? https : http).request(url, {
        method: 'POST',
        agent: secure ? this.#agents.https : this.#agents.http,
        headers: {
          'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'TwilioProxy/1.1',
          'x-twilio-signature': getExpectedTwilioSignature(this.#authToken, url, fields),
        },
      });
      this.#requests.add(request);
      const timer = setTimeout(() => request.destroy(new Error('no answer in time')), answerWithinMs);
      request.on('response', (response) => {
        const status = response.statusCode ?? 0;
        response.resume();
        response.on('end', () => resolve(status >= 200 && status < 300 ? 'taken' : `status ${status}`));
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
