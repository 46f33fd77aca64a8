import { showNotice } from './screen.mjs';

/** A change waits for the workflow of the transaction, which takes some seconds at most. */
const timeoutMs = 20_000;
/** Covers a short interruption. After that the user gets an error. */
const triesMax = 3;
const firstPauseMs = 1_000;
/** Users would not wait longer. */
const retryAfterMaxS = 30;

/** No response: the request may or may not have arrived. */
export class Unreachable extends Error {}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function requestOnce(path, { method = 'GET', headers = {}, body, credentials = 'omit' } = {}) {
  const response = await fetch(path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
    cache: 'no-store',
    credentials,
    signal: AbortSignal.timeout(timeoutMs),
  });
  // A success needs its body. An error needs only its status, because a proxy may have written the body.
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const readBody = () => (response.ok && !isJson ? response.text() : response.json());
  const answer = response.ok ? await readBody() : await readBody().catch(() => ({}));
  return { status: response.status, answer, retryAfterS: Number(response.headers.get('retry-after')) };
}

const isBusy = ({ status }) => status === 429 || status === 503;
const isUnreachable = ({ status }) => status === 0 || status === 502 || status === 504;

async function backOff(result, tries) {
  const seconds = isBusy(result)
    ? Math.min(retryAfterMaxS, Math.max(1, result.retryAfterS || 2))
    : (firstPauseMs * 2 ** (tries - 1)) / 1_000;
  const reason = isBusy(result) ? 'The service is busy.' : 'The connection failed.';
  showNotice(`${reason} Trying again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`);
  await sleep(seconds * 1_000);
}

/**
 * Resolves to { status, answer } of the API; `answer` is text if the body is not JSON. Retries, with a notice, while the service
 * is busy or unavailable. Use it only for requests that may arrive twice. Throws Unreachable if there is no response.
 */
export async function request(path, init) {
  for (let tries = 1; ; tries += 1) {
    const result = await requestOnce(path, init).catch(() => ({ status: 0 }));
    const isLast = tries === triesMax || !(isBusy(result) || isUnreachable(result));
    if (!isLast) await backOff(result, tries);
    else {
      if (tries > 1) showNotice('');
      if (isUnreachable(result)) throw new Unreachable('no response');
      return result;
    }
  }
}
