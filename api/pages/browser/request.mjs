import { notice } from './screen.mjs';

/** A change waits for the transaction's workflow, which takes some seconds at worst. */
const timeoutMs = 20_000;
/** A connection that is back after a lift is caught; who waits longer wants to know that it does not work. */
const triesMost = 3;
const pauseFirstMs = 1_000;
/** The service may ask for more, but then nobody would look at the page any more. */
const retryAfterMostS = 30;

/** No answer came: whether the request arrived is unknown. */
export class Unreachable extends Error {}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function requestOnce(path, { method = 'GET', headers = {}, body } = {}) {
  const response = await fetch(path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
    cache: 'no-store',
    credentials: 'omit',
    signal: AbortSignal.timeout(timeoutMs),
  });
  // A success whose answer broke off says nothing; a failure is told by its status, even when a proxy wrote its page.
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const read = () => (response.ok && !isJson ? response.text() : response.json());
  const answer = response.ok ? await read() : await read().catch(() => ({}));
  return { status: response.status, answer, retryAfterS: Number(response.headers.get('retry-after')) };
}

const isBusy = ({ status }) => status === 429 || status === 503;
const isBroken = ({ status }) => status === 0 || status === 502 || status === 504;

async function rest(result, tries) {
  const seconds = isBusy(result)
    ? Math.min(retryAfterMostS, Math.max(1, result.retryAfterS || 2))
    : (pauseFirstMs * 2 ** (tries - 1)) / 1_000;
  const why = isBusy(result) ? 'The service is busy.' : 'The connection is broken.';
  notice(`${why} Trying again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`);
  await sleep(seconds * 1_000);
}

/**
 * Resolves to { status, answer } of the API; an answer that is no JSON is given as text. Tries again by itself, and
 * says so, while the service is busy or away, so it is only for requests that may arrive twice. Throws Unreachable when
 * no answer came in the end.
 */
export async function request(path, init) {
  for (let tries = 1; ; tries += 1) {
    const result = await requestOnce(path, init).catch(() => ({ status: 0 }));
    const isLast = tries === triesMost || !(isBusy(result) || isBroken(result));
    if (!isLast) await rest(result, tries);
    else {
      if (tries > 1) notice('');
      if (isBroken(result)) throw new Unreachable('no answer');
      return result;
    }
  }
}
