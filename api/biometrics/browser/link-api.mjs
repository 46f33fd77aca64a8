import { Closed, closedBy } from './ends.mjs';
import { notice } from './screen.mjs';
import { base, fill, texts } from './shell.mjs';

/** A chunk of 256 KiB takes 42 s at 50 kbit/s, the slowest connection that we wait for. */
const timeoutMs = 60_000;
/** Doubles with every try; a person who walks out of a lift should not wait for long. */
const [pauseFirstMs, pauseMostMs] = [1_000, 15_000];
/** A server may ask for more, but then nobody would look at the page any more. */
const retryAfterMostS = 60;
/** Failures of the server, one after the other, until the person is told that it does not work. */
const failuresMost = 4;

/** The request may or may not have arrived. */
export class Interrupted extends Error {}

const sleep = (ms) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    window.addEventListener('online', () => (clearTimeout(timer), resolve()), { once: true });
  });

let failures = 0;
let serverFailures = 0;

/** Tells why it waits, and waits; longer from failure to failure. */
async function rest(retryAfterS) {
  failures += 1;
  const pauseMs = retryAfterS
    ? retryAfterS * 1_000
    : Math.min(pauseMostMs, pauseFirstMs * 2 ** Math.min(failures - 1, 5));
  const seconds = Math.ceil(pauseMs / 1_000);
  notice(retryAfterS ? fill(texts.waiting.busy, { seconds }) : texts.waiting.offline);
  await sleep(pauseMs);
}

function recovered() {
  if (failures > 0) notice(texts.waiting.back);
  if (failures > 0) setTimeout(() => failures === 0 && notice(''), 4_000);
  failures = 0;
  serverFailures = 0;
}

async function fetchOnce(path, { method = 'GET', headers = {}, body } = {}) {
  const response = await fetch(`${base}${path}`, { method, headers, body, signal: AbortSignal.timeout(timeoutMs) });
  // A success whose answer broke off says nothing; a failure is told by its status, even when a proxy wrote its page.
  const answer = response.ok ? await response.json() : await response.json().catch(() => ({}));
  return { status: response.status, answer, retryAfterS: Number(response.headers.get('retry-after')) };
}

const restFor = ({ status, retryAfterS }) =>
  status === 429 || status === 503 ? Math.min(retryAfterMostS, Math.max(1, retryAfterS || 2)) : 0;

/**
 * One request. Throws Closed when the link leads no further, and Interrupted, after a pause, when it is unknown whether
 * the request arrived. Answers that are the caller's matter come back as { status, answer }.
 */
export async function askOnce(path, init) {
  let result;
  try {
    result = await fetchOnce(path, init);
  } catch (error) {
    await rest(0);
    throw new Interrupted('no answer', { cause: error });
  }
  const { status, answer } = result;
  // The server waited for the end of the request in vain.
  if (status === 408) {
    await rest(0);
    throw new Interrupted('too slow');
  }
  if (status === 429 || status >= 500) {
    if (status !== 429 && status !== 503) serverFailures += 1;
    if (serverFailures > failuresMost) throw new Error(`The server answered ${status}.`);
    await rest(restFor(result));
    throw new Interrupted(`answered ${status}`);
  }
  recovered();
  if (answer.code === 'link_taken') throw new Closed('taken');
  if (answer.code === 'cookie_missing') throw new Closed('cookies');
  if (status === 410) throw closedBy(answer.linkStatus, answer.reason);
  return { status, answer };
}

/** As askOnce, but tried until it is answered: for requests that may arrive twice. */
export async function ask(path, init) {
  for (;;) {
    try {
      return await askOnce(path, init);
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
    }
  }
}

async function session(path, init) {
  const { status, answer } = await ask(path, init);
  if (status === 404) throw new Closed('unknown');
  if (status !== 200) throw new Error(`${path} answered ${status} ${answer.code ?? ''}`);
  return answer;
}

const post = (value) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
});

export const readSession = () => session('/session');
export const openLink = () => session('/open', post({}));
export const giveConsent = () => session('/consent', post({}));

/** The session after the submission; { missing } when captures are, on the other side. */
export async function submit() {
  const { status, answer } = await ask('/submit', post({}));
  if (answer.code === 'captures_missing') return { missing: answer.missing };
  if (status !== 200) throw new Error(`submit answered ${status}`);
  return answer;
}

export const beginUpload = (kind, size) => ask(`/captures/${kind}`, post({ size }));
