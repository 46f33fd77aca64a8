import { LinkClosedError, toLinkClosedError } from './final-screens.mjs';
import { showNotice } from './screen.mjs';
import { linkPath, fill, texts } from './texts.mjs';

/** Enough for the server to receive a chunk (at most 10 s) and to process an image that waits in its queue. */
const timeoutMs = 60_000;
/** The pause doubles with every failure. Even the longest is short, because a person may be offline only for a moment. */
const [pauseFirstMs, pauseMaxMs] = [1_000, 15_000];
/** Longest pause for a Retry-After header. A person does not wait longer. */
const retryAfterMaxS = 60;
/** After more than this many server errors in a row, the page shows an error. */
const serverErrorsMax = 4;

/** The page does not know whether the request arrived. */
export class RequestInterrupted extends Error {}

const sleep = (ms) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    window.addEventListener('online', () => (clearTimeout(timer), resolve()), { once: true });
  });

let failures = 0;
let serverErrors = 0;

/** Waits, and shows the reason. */
async function backOff(retryAfterS) {
  failures += 1;
  const pauseMs = retryAfterS
    ? retryAfterS * 1_000
    : Math.min(pauseMaxMs, pauseFirstMs * 2 ** Math.min(failures - 1, 5));
  const seconds = Math.ceil(pauseMs / 1_000);
  showNotice(retryAfterS ? fill(texts.waiting.busy, { seconds }) : texts.waiting.offline);
  await sleep(pauseMs);
}

function resetFailures() {
  if (failures > 0) showNotice(texts.waiting.back);
  if (failures > 0) setTimeout(() => failures === 0 && showNotice(''), 4_000);
  failures = 0;
  serverErrors = 0;
}

async function fetchOnce(path, { method = 'GET', headers = {}, body } = {}) {
  const response = await fetch(`${linkPath}${path}`, { method, headers, body, signal: AbortSignal.timeout(timeoutMs) });
  // A success needs its JSON body. An error does not: a proxy may have written it.
  const answer = response.ok ? await response.json() : await response.json().catch(() => ({}));
  return { status: response.status, answer, retryAfterS: Number(response.headers.get('retry-after')) };
}

const retryAfterOf = ({ status, retryAfterS }) =>
  status === 429 || status === 503 ? Math.min(retryAfterMaxS, Math.max(1, retryAfterS || 2)) : 0;

/**
 * Sends a request once. Throws LinkClosedError for a closed link. If the request may not have arrived, waits and then throws
 * RequestInterrupted. Returns all other responses as { status, answer }.
 */
export async function requestOnce(path, init) {
  let result;
  try {
    result = await fetchOnce(path, init);
  } catch (error) {
    await backOff(0);
    throw new RequestInterrupted('no answer', { cause: error });
  }
  const { status, answer } = result;
  // The request was too slow for the server.
  if (status === 408) {
    await backOff(0);
    throw new RequestInterrupted('too slow');
  }
  if (status === 429 || status >= 500) {
    if (status !== 429 && status !== 503) serverErrors += 1;
    if (serverErrors > serverErrorsMax) throw new Error(`The server answered ${status}.`);
    await backOff(retryAfterOf(result));
    throw new RequestInterrupted(`answered ${status}`);
  }
  resetFailures();
  if (answer.code === 'link_taken') throw new LinkClosedError('taken');
  if (answer.code === 'cookie_missing') throw new LinkClosedError('cookies');
  if (status === 410) throw toLinkClosedError(answer.linkStatus, answer.reason);
  return { status, answer };
}

/** Like requestOnce, with retries. Use it only for requests that may arrive twice. */
export async function requestWithRetry(path, init) {
  for (;;) {
    try {
      return await requestOnce(path, init);
    } catch (error) {
      if (!(error instanceof RequestInterrupted)) throw error;
    }
  }
}

async function requestSession(path, init) {
  const { status, answer } = await requestWithRetry(path, init);
  if (status === 404) throw new LinkClosedError('unknown');
  if (status !== 200) throw new Error(`${path} answered ${status} ${answer.code ?? ''}`);
  return answer;
}

const jsonPost = (value) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
});

export const readSession = () => requestSession('/session');
export const openLink = () => requestSession('/open', jsonPost({}));
export const giveConsent = () => requestSession('/consent', jsonPost({}));

/** Submits the images. Resolves to the session, or to { missing } with the kinds of the missing captures. */
export async function submit() {
  const { status, answer } = await requestWithRetry('/submit', jsonPost({}));
  if (answer.code === 'captures_missing') return { missing: answer.missing };
  if (status !== 200) throw new Error(`submit answered ${status}`);
  return answer;
}

export const startUpload = (kind, size) => requestWithRetry(`/captures/${kind}`, jsonPost({ size }));
