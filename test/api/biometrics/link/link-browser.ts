export interface LinkAnswer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** A browser on the page of a link: it has a cookie jar and sends the requests of the page. */
export class LinkBrowser {
  #cookie = '';

  /** `page` is the address of the link, as callers get it, on the host that serves it. */
  constructor(readonly page: string) {}

  /** The header that it sends, for requests by other means. */
  get cookie(): string {
    return this.#cookie;
  }

  async request(path: string, init: RequestInit = {}): Promise<LinkAnswer> {
    const headers = { ...(this.#cookie ? { cookie: this.#cookie } : {}), ...(init.headers as object) };
    const response = await fetch(`${this.page}${path}`, { ...init, headers, redirect: 'manual' });
    const [given] = response.headers.getSetCookie();
    if (given) this.#cookie = given.split(';')[0] ?? '';
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } };
  }

  post(path: string, body: unknown = {}): Promise<LinkAnswer> {
    const headers = { 'Content-Type': 'application/json' };
    return this.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  chunk(path: string, offset: number, bytes: Uint8Array): Promise<LinkAnswer> {
    const headers = { 'Content-Type': 'application/octet-stream', 'Upload-Offset': String(offset) };
    return this.request(path, { method: 'POST', headers, body: bytes });
  }

  session = () => this.request('/session');

  /** Opens the link and consents. */
  async begin(): Promise<void> {
    await this.session();
    await this.post('/open');
    await this.post('/consent');
  }

  /** Uploads an image in chunks and gives the last answer. */
  async upload(kind: string, image: Uint8Array, chunkBytes = 256 * 1024): Promise<LinkAnswer> {
    const begun = await this.post(`/captures/${kind}`, { size: image.length });
    if (begun.status !== 201) return begun;
    const path = `/captures/${kind}/${String(begun.body['uploadId'])}`;
    let last = begun;
    for (let offset = 0; offset < image.length; offset += chunkBytes) {
      last = await this.chunk(path, offset, image.subarray(offset, offset + chunkBytes));
      if (last.status !== 200) return last;
    }
    return last;
  }
}
