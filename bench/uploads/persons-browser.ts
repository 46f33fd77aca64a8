import { setTimeout as sleep } from 'node:timers/promises';

/** As the person's page sends them. */
const chunkBytes = 256 * 1_024;
/** The page waits as long for an answer. */
const answerWithinMs = 60_000;
/** Whoever is sent away for so often will not be served any more. */
const sentAwayMax = 20;

/** One upload, with instants in milliseconds of this machine's clock. */
export interface Upload {
  beganAt: number;
  /** The last chunk is under way: what is waited for after that is the work on the picture. */
  lastChunkAt: number;
  doneAt: number;
  /** How often the API answered that it was busy, and the browser came again. */
  sentAway: number;
}

interface Answer {
  status: number;
  body: Record<string, unknown>;
  retryAfterS: number;
}

const now = () => performance.timeOrigin + performance.now();

/** A browser on the page of a link: it keeps its cookie and sends what the page's scripts send. */
export class PersonsBrowser {
  #cookie = '';

  /** `page` is the address of the link as the API gave it. */
  constructor(readonly page: string) {}

  /** Opens the link and consents. */
  async begin(): Promise<void> {
    await this.#expect(200, this.#ask('/session'));
    await this.#expect(200, this.#post('/open', {}));
    await this.#expect(200, this.#post('/consent', {}));
  }

  /** Sends a picture, one chunk after the other. Throws when it is refused. */
  async upload(kind: string, picture: Buffer): Promise<Upload> {
    const beganAt = now();
    await this.#expect(200, this.#ask('/session'));
    const { uploadId } = await this.#expect(201, this.#post(`/captures/${kind}`, { size: picture.length }));
    const path = `/captures/${kind}/${String(uploadId)}`;
    let [received, lastChunkAt, sentAway] = [0, beganAt, 0];
    for (;;) {
      const end = Math.min(picture.length, received + chunkBytes);
      if (end === picture.length) lastChunkAt = now();
      const answer = await this.#chunk(path, received, picture.subarray(received, end));
      if (answer.status === 503 && sentAway < sentAwayMax) {
        sentAway += 1;
        await sleep(Math.max(1, answer.retryAfterS || 2) * 1_000);
        received = Number((await this.#expect(200, this.#ask(path)))['received']);
        continue;
      }
      const body = await this.#expect(200, Promise.resolve(answer));
      received = Number(body['received']);
      if (body['done'] === true) return { beganAt, lastChunkAt, doneAt: now(), sentAway };
    }
  }

  #post(path: string, body: object): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    return this.#ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  #chunk(path: string, offset: number, body: Uint8Array): Promise<Answer> {
    const headers = { 'content-type': 'application/octet-stream', 'upload-offset': String(offset) };
    return this.#ask(path, { method: 'POST', headers, body });
  }

  async #ask(path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = { ...(init.headers as object), ...(this.#cookie ? { cookie: this.#cookie } : {}) };
    const signal = AbortSignal.timeout(answerWithinMs);
    const response = await fetch(`${this.page}${path}`, { ...init, headers, signal });
    const [cookie] = response.headers.getSetCookie();
    if (cookie) this.#cookie = cookie.split(';')[0] ?? '';
    const body = (await response.json()) as Answer['body'];
    return { status: response.status, body, retryAfterS: Number(response.headers.get('retry-after')) };
  }

  async #expect(wanted: number, answering: Promise<Answer>): Promise<Answer['body']> {
    const { status, body } = await answering;
    if (status !== wanted) throw new Error(`The API answered a person's page ${status}: ${JSON.stringify(body)}`);
    return body;
  }
}
