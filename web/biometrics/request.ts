import { showNotice } from '../app/messages';
import { fill } from './biometrics-texts';
import { LinkClosedError, RequestInterrupted, toLinkClosedError } from './errors';
import { settings } from './page-settings';
import { texts } from './page-texts';

/** How long a request waits for an answer. The server receives a chunk in at most 10 s. An image may then wait until it is processed. */
const timeoutMs = 60_000;
/**
 * The first and the longest pause before a repeat. Each failure doubles the pause. The first pause is short, because a person may be
 * offline only for a moment.
 */
const [pauseFirstMs, pauseMaxMs] = [1_000, 15_000] as const;
/** The longest pause that the header Retry-After of an answer can cause. A person does not wait longer. */
const retryAfterMaxS = 60;
/** After more than this many server errors in a row, the page shows an error. */
const serverErrorsMax = 4;
/** How long the page shows that the connection is back: long enough to read it. */
const backOnlineMs = 4_000;

export interface Answer {
  status: number;
  /** The JSON body. `{}` for an error without a JSON body. */
  body: Record<string, unknown>;
}

interface AnswerOnce extends Answer {
  /** The header Retry-After in seconds. 0 or NaN if the answer has no such number. */
  retryAfterS: number;
}

/** Resolves after a time, or as soon as the browser is online again. */
const sleep = (ms: number) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    const wake = () => {
      clearTimeout(timer);
      resolve();
    };
    window.addEventListener('online', wake, { once: true });
  });

/** The number of failed requests in a row. */
let failures = 0;
/** How many of the failed requests in a row got a server error other than 503. */
let serverErrors = 0;

/** Pauses before the next attempt, and shows the reason. `retryAfterS`: the pause that a busy server requests. 0 if it requests none. */
async function backOff(retryAfterS: number): Promise<void> {
  failures += 1;
  const pauseMs = retryAfterS
    ? retryAfterS * 1_000
    : Math.min(pauseMaxMs, pauseFirstMs * 2 ** Math.min(failures - 1, 5));
  const seconds = Math.ceil(pauseMs / 1_000);
  showNotice(retryAfterS ? fill(texts.waiting.busy, { seconds }) : texts.waiting.offline);
  await sleep(pauseMs);
}

function resetFailures(): void {
  if (failures > 0) {
    showNotice(texts.waiting.back);
    setTimeout(() => failures === 0 && showNotice(''), backOnlineMs);
  }
  failures = 0;
  serverErrors = 0;
}

async function fetchOnce(path: string, init: RequestInit): Promise<AnswerOnce> {
  const response = await fetch(`${settings.base}${path}`, { ...init, signal: AbortSignal.timeout(timeoutMs) });
  const readBody = async () => (await response.json()) as Answer['body'];
  // A success without a JSON body counts as no answer. An error without a JSON body counts as an answer, because a proxy may have sent it.
  const body = response.ok ? await readBody() : await readBody().catch(() => ({}));
  return { status: response.status, body, retryAfterS: Number(response.headers.get('retry-after')) };
}

/** The pause in seconds that a busy server requests. 0 for all other answers. */
const retryAfterOf = ({ status, retryAfterS }: AnswerOnce) =>
  status === 429 || status === 503 ? Math.min(retryAfterMaxS, Math.max(1, retryAfterS || 2)) : 0;

function throwIfClosed({ status, body }: Answer): void {
  const { code, linkStatus, reason } = body as { code?: string; linkStatus?: string; reason?: string };
  if (code === 'link_taken') throw new LinkClosedError('taken');
  if (code === 'cookie_missing') throw new LinkClosedError('cookies');
  if (status === 410) throw toLinkClosedError(linkStatus, reason);
}

/**
 * Sends a request once. Throws LinkClosedError if this browser cannot use the link. If another attempt may succeed, pauses and then throws
 * RequestInterrupted. After too many server errors, throws another error. Returns all other answers.
 */
export async function requestOnce(path: string, init: RequestInit = {}): Promise<Answer> {
  let answer: AnswerOnce;
  try {
    answer = await fetchOnce(path, init);
  } catch (error) {
    await backOff(0);
    throw new RequestInterrupted('no answer', { cause: error });
  }
  const { status } = answer;
  // 408: the request arrived too slowly.
  if (status === 408) {
    await backOff(0);
    throw new RequestInterrupted('too slow');
  }
  if (status === 429 || status >= 500) {
    if (status !== 429 && status !== 503) serverErrors += 1;
    if (serverErrors > serverErrorsMax) throw new Error(`The server answered ${status}.`);
    await backOff(retryAfterOf(answer));
    throw new RequestInterrupted(`answered ${status}`);
  }
  resetFailures();
  throwIfClosed(answer);
  return answer;
}

/** Like requestOnce, but sends an interrupted request again. Use this function only for requests that do no harm if they arrive twice. */
export async function requestWithRetry(path: string, init?: RequestInit): Promise<Answer> {
  for (;;) {
    try {
      return await requestOnce(path, init);
    } catch (error) {
      if (!(error instanceof RequestInterrupted)) throw error;
    }
  }
}
