import { appTexts } from './app-texts';
import { showNotice } from './messages';
import { textsNow } from './use-texts';

/**
 * How long an attempt waits for a response. If the request changes a transaction, the response waits for the workflow of the transaction:
 * at most some seconds.
 */
const timeoutMsDefault = 20_000;
/** How many times a request is sent at most. Three attempts are enough for a short interruption. Then the user gets an error. */
const triesMaxDefault = 3;
/** The pause after the first attempt without a response. Each later pause is twice as long as the one before. */
const firstPauseMs = 1_000;
/** The longest pause that the header Retry-After of an answer can cause. Users would not wait longer. */
const retryAfterMaxS = 30;

export interface RequestOptions {
  method?: string;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON. */
  body?: unknown;
  credentials?: RequestCredentials | undefined;
  /** Ends the request and its retries. The promise then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** How long an attempt waits for a response. Default: 20 s, which is enough for a change of a transaction. */
  timeoutMs?: number;
  /** How many times the request is sent at most, while the service is busy or does not respond. Default: 3. */
  triesMax?: number;
}

export interface Answer {
  status: number;
  /** The parsed JSON. If a successful response is not JSON, its text. If an error has no JSON body, `{}`. */
  body: unknown;
}

/** There was no response. The request may or may not have arrived. */
export class Unreachable extends Error {}

/** The result of one attempt. Without a response, the status is 0. */
interface Attempt extends Answer {
  /** The header Retry-After in seconds. 0 or NaN if the response has no such number. */
  retryAfterS?: number;
}

const noResponse: Attempt = { status: 0, body: {} };

async function requestOnce(path: string, options: RequestOptions): Promise<Attempt> {
  const { method = 'GET', headers, body, credentials = 'omit', signal, timeoutMs = timeoutMsDefault } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  const response = await fetch(path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    cache: 'no-store',
    credentials,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
  // A success without a readable body counts as no response. An error counts as a response even without a readable body, because the error
  // may come from a proxy.
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const readBody = async (): Promise<unknown> => (response.ok && !isJson ? response.text() : response.json());
  return {
    status: response.status,
    body: response.ok ? await readBody() : await readBody().catch(() => ({})),
    retryAfterS: Number(response.headers.get('retry-after')),
  };
}

const isBusy = ({ status }: Attempt) => status === 429 || status === 503;
const isUnreachable = ({ status }: Attempt) => status === 0 || status === 502 || status === 504;

/** Resolves after a time, or at once if the signal aborts. */
const sleep = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Pauses before the next attempt, and shows a notice with the reason. `tries`: the number of attempts so far. */
async function backOff(attempt: Attempt, tries: number, signal?: AbortSignal): Promise<void> {
  const seconds = isBusy(attempt)
    ? Math.min(retryAfterMaxS, Math.max(1, attempt.retryAfterS || 2))
    : (firstPauseMs * 2 ** (tries - 1)) / 1_000;
  const { busy, disconnected, again } = textsNow(appTexts).retries;
  showNotice(`${isBusy(attempt) ? busy : disconnected} ${again(seconds)}`);
  await sleep(seconds * 1_000, signal);
}

/**
 * Sends a request to the service of this page. While the service is busy or does not respond, shows a notice and sends the request again.
 * Use this function only for requests that do no harm if they arrive twice. Rejects with Unreachable if there is no response.
 */
export async function request(path: string, options: RequestOptions = {}): Promise<Answer> {
  const { signal, triesMax = triesMaxDefault } = options;
  for (let tries = 1; ; tries += 1) {
    const attempt = await requestOnce(path, options).catch(() => noResponse);
    const isLast = tries === triesMax || !(isBusy(attempt) || isUnreachable(attempt)) || signal?.aborted;
    if (!isLast) await backOff(attempt, tries, signal);
    if (isLast || signal?.aborted) {
      if (tries > 1) showNotice('');
      signal?.throwIfAborted();
      if (isUnreachable(attempt)) throw new Unreachable('no response');
      return attempt;
    }
  }
}
