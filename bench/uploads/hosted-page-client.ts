import { setTimeout as sleep } from 'node:timers/promises';

/** Chunk size of the hosted page on a good connection. */
const chunkBytes = 256 * 1_024;
/** A long timeout, because the duration of uploads is not measured. On a busy machine, an image can wait for minutes. */
const timeoutMs = 300_000;

type Body = Record<string, unknown>;

/** A simulated browser on the hosted page of a biometrics link. It sends the same requests and the same cookie as a real browser. */
export class HostedPageClient {
  /** How many responses had the status 503, because the API was busy. */
  busyResponses = 0;
  #cookie = '';

  /** `pageUrl` is the address of the link. */
  constructor(readonly pageUrl: string) {}

  /** The cookie of this browser, for requests that a bench sends itself. */
  get cookie(): string {
    return this.#cookie;
  }

  async openAndConsent(): Promise<void> {
    await this.#request('/session');
    await this.#post('/open', {});
    await this.#post('/consent', {});
  }

  /** Starts the upload of a selfie. Returns its path below the page. */
  async startUpload(size: number): Promise<string> {
    const { uploadId } = await this.#post('/captures/selfie', { size });
    return `/captures/selfie/${String(uploadId)}`;
  }

  /** Uploads a selfie in chunks. Throws when the API rejects the selfie. */
  async upload(image: Buffer): Promise<void> {
    const path = await this.startUpload(image.length);
    for (let received = 0, done = false; !done; ) {
      const headers = { 'content-type': 'application/octet-stream', 'upload-offset': String(received) };
      const body = image.subarray(received, received + chunkBytes);
      const response = await this.#request(path, { method: 'POST', headers, body });
      received = Number(response['received']);
      done = response['done'] === true;
    }
  }

  #post(path: string, body: object): Promise<Body> {
    const headers = { 'content-type': 'application/json' };
    return this.#request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  /** Sends a request, and repeats it while the API is busy, as the hosted page does. */
  async #request(path: string, init: RequestInit = {}): Promise<Body> {
    const headers = { ...(init.headers as object), ...(this.#cookie ? { cookie: this.#cookie } : {}) };
    const response = await fetch(this.pageUrl + path, { ...init, headers, signal: AbortSignal.timeout(timeoutMs) });
    const [cookie] = response.headers.getSetCookie();
    if (cookie) this.#cookie = cookie.split(';')[0] ?? '';
    const body = (await response.json()) as Body;
    if (response.status === 503) {
      this.busyResponses += 1;
      await sleep(Math.max(1, Number(response.headers.get('retry-after'))) * 1_000);
      return this.#request(path, init);
    }
    if (!response.ok) throw new Error(`The API responded ${response.status}: ${JSON.stringify(body)}`);
    return body;
  }
}
