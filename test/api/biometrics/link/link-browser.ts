export interface LinkResponse {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

/** Sends the requests of the biometrics page, and keeps the cookie as a browser does. */
export class LinkBrowser {
  #cookie = '';

  /** `address`: the URL of the link on the API of this test. */
  constructor(readonly address: string) {}

  /** For requests that tests send themselves. */
  get cookie(): string {
    return this.#cookie;
  }

  async request(path: string, init: RequestInit = {}): Promise<LinkResponse> {
    const headers = { ...(this.#cookie ? { cookie: this.#cookie } : {}), ...(init.headers as object) };
    const response = await fetch(`${this.address}${path}`, { ...init, headers, redirect: 'manual' });
    const [setCookie] = response.headers.getSetCookie();
    if (setCookie) this.#cookie = setCookie.split(';')[0] ?? '';
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } };
  }

  post(path: string, body: unknown = {}): Promise<LinkResponse> {
    const headers = { 'Content-Type': 'application/json' };
    return this.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  sendChunk(path: string, offset: number, bytes: Uint8Array): Promise<LinkResponse> {
    const headers = { 'Content-Type': 'application/octet-stream', 'Upload-Offset': String(offset) };
    return this.request(path, { method: 'POST', headers, body: bytes });
  }

  readSession = () => this.request('/session');

  async openAndConsent(): Promise<void> {
    await this.readSession();
    await this.post('/open');
    await this.post('/consent');
  }

  /** Returns the last response. */
  async upload(kind: string, image: Uint8Array, chunkBytes = 256 * 1024): Promise<LinkResponse> {
    const response = await this.post(`/captures/${kind}`, { size: image.length });
    if (response.status !== 201) return response;
    const path = `/captures/${kind}/${String(response.body['uploadId'])}`;
    let lastResponse = response;
    for (let offset = 0; offset < image.length; offset += chunkBytes) {
      lastResponse = await this.sendChunk(path, offset, image.subarray(offset, offset + chunkBytes));
      if (lastResponse.status !== 200) return lastResponse;
    }
    return lastResponse;
  }
}
