import { setTimeout as sleep } from 'node:timers/promises';

/** The hosted page's chunks on a good connection. */
const chunkBytes = 256 * 1_024;
/** How long uploads take is not measured: on a busy machine, the last image in line waits for minutes. */
const timeoutMs = 300_000;

type Body = Record<string, unknown>;

/** A browser on the hosted page of a link: it keeps its cookie and sends what the page's scripts send. */
export class PersonsBrowser {
  /** How often the API was busy. */
  busy = 0;
  #cookie = '';

  /** `page` is the address of the link as the API gave it. */
  constructor(readonly page: string) {}

  /** Opens the link and consents. */
  async begin(): Promise<void> {
    await this.#request('/session');
    await this.#post('/open', {});
    await this.#post('/consent', {});
  }

  /** Uploads a selfie, one chunk after the other. Throws when it is rejected. */
  async upload(picture: Buffer): Promise<void> {
    const { uploadId } = await this.#post('/captures/selfie', { size: picture.length });
    const path = `/captures/selfie/${String(uploadId)}`;
    for (let received = 0, done = false; !done; ) {
      const headers = { 'content-type': 'application/octet-stream', 'upload-offset': String(received) };
      const body = picture.subarray(received, received + chunkBytes);
      const answer = await this.#request(path, { method: 'POST', headers, body });
      received = Number(answer['received']);
      done = answer['done'] === true;
    }
  }

  #post(path: string, body: object): Promise<Body> {
    const headers = { 'content-type': 'application/json' };
    return this.#request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  /** Sends a request, and the same again while the API is busy, as the hosted page does. */
  async #request(path: string, init: RequestInit = {}): Promise<Body> {
    const headers = { ...(init.headers as object), ...(this.#cookie ? { cookie: this.#cookie } : {}) };
    const response = await fetch(this.page + path, { ...init, headers, signal: AbortSignal.timeout(timeoutMs) });
    const [cookie] = response.headers.getSetCookie();
    if (cookie) this.#cookie = cookie.split(';')[0] ?? '';
    const body = (await response.json()) as Body;
    if (response.status === 503) {
      this.busy += 1;
      await sleep(Math.max(1, Number(response.headers.get('retry-after'))) * 1_000);
      return this.#request(path, init);
    }
    if (!response.ok) throw new Error(`The API answered ${response.status}: ${JSON.stringify(body)}`);
    return body;
  }
}
