import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import type { ClosedReason } from '../../../../api/biometrics/page/biometrics-texts';
import { sendClosed, sendShell, showAsset } from '../../../../api/biometrics/page/serve-page';
import type { Dependencies } from '../../../../api/dependencies';
import type { CaptureKind } from '../../../../domain/biometrics/biometrics';
import type { Language } from '../../../../domain/language';

const captureKinds: readonly CaptureKind[] = ['documentFront', 'documentBack', 'selfie'];

type Status = 'Waiting' | 'InProgress' | 'Processing' | 'Approved' | 'Rejected' | 'Inconclusive';

interface Upload {
  kind: CaptureKind;
  size: number;
  bytes: Buffer;
}

/**
 * What happens to a chunk. `drop`: reset before its bytes are read; `lose`: after; `cut`: in the middle of the
 * response.
 */
export type UploadFailure = 'drop' | 'lose' | 'cut' | 'busy' | 'reject' | 'forget';

/** One link, its page and its JSON API, on loopback. Tests set its state and read its requests. */
export class FakeLink {
  language: Language = 'en';
  closed: ClosedReason | undefined;
  verifiesFaces = false;
  promisesMessage = false;
  /** If set, everything except the page and the session returns 410. */
  closedStatus: string | undefined;
  /** The reason, if the response has one. */
  closedReason: 'erased' | 'ended' | undefined;
  chunkBytesMax = 1_048_576;
  /** Called before every chunk, with its number from 1. */
  uploadFailure: (chunk: number) => UploadFailure | undefined = () => undefined;
  status: Status = 'Waiting';
  owner: string | undefined;
  consented = false;
  /** Captures that the session reports although they are missing, as in the stale record of a dead worker. */
  staleCaptures: readonly CaptureKind[] = [];
  readonly captures = new Map<CaptureKind, Buffer>();
  readonly chunks: { offset: number; length: number }[] = [];
  readonly requests: string[] = [];
  readonly #uploads = new Map<string, Upload>();
  #close: () => Promise<void> = async () => undefined;
  url = '';

  static async open(): Promise<FakeLink> {
    const link = new FakeLink();
    const server = link.#app().listen(0, '127.0.0.1');
    await once(server, 'listening');
    link.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/biometrics/t0ken`;
    link.#close = async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    };
    return link;
  }

  close = (): Promise<void> => this.#close();

  #session(request: Request) {
    const mine = cookieOf(request) === this.owner;
    const owner = this.owner === undefined ? 'nobody' : mine ? 'you' : 'other';
    const captures = Object.fromEntries(
      captureKinds.map((kind) => [kind, this.captures.has(kind) || this.staleCaptures.includes(kind)]),
    );
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const consented = this.consented || this.staleCaptures.length > 0;
    return { status: this.status, owner, consented, captures, expiresAt };
  }

  #app() {
    const app = express();
    const base = '/biometrics/t0ken';
    app.use((request, response, next) => {
      // After a reset, a browser repeats a request on a reused connection by itself, without showing it.
      response.set('Connection', 'close');
      this.requests.push(`${request.method} ${request.path.replace(base, '').replace(/[0-9a-f-]{36}/, '{id}')}`);
      next();
    });
    app.get('/biometrics/assets/:version/:folder/browser/:file', (request, response) =>
      showAsset(undefined as unknown as Dependencies, request, response),
    );
    app.get(base, (_request, response) => {
      const { language, closed: reason, verifiesFaces, promisesMessage } = this;
      const shared = { language, brand: 'Loja <b>&' };
      if (reason) sendClosed(response, { ...shared, reason });
      else sendShell(response, { ...shared, token: 't0ken', keptDays: 90, verifiesFaces, promisesMessage });
    });
    app.get(`${base}/session`, (request, response) => void response.json(this.#session(request)));
    app.get(`${base}/qr.svg`, (_request, response) => {
      response
        .type('svg')
        .send('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h3v3H1z"/></svg>');
    });
    app.post(`${base}/open`, (request, response) => this.#open(request, response));
    app.use(base, (request, response, next) => {
      if (this.closedStatus)
        problem(response, 410, { code: 'link_closed', linkStatus: this.closedStatus, reason: this.closedReason });
      else if (!this.owner || cookieOf(request) !== this.owner) problem(response, 403, { code: 'link_taken' });
      else next();
    });
    app.post(`${base}/consent`, (request, response) => {
      this.consented = true;
      response.json(this.#session(request));
    });
    app.post(`${base}/captures/:kind`, express.json(), (request, response) => {
      const uploadId = randomUUID();
      const { size } = request.body as { size: number };
      this.#uploads.set(uploadId, { kind: kindOf(request), size, bytes: Buffer.alloc(0) });
      response.status(201).json({ uploadId, chunkBytesMax: this.chunkBytesMax });
    });
    app.get(`${base}/captures/:kind/:id`, (request, response) => {
      const upload = this.#uploads.get(request.params.id);
      if (upload) response.json({ received: upload.bytes.length });
      else problem(response, 404, { code: 'upload_not_found' });
    });
    app.post(`${base}/captures/:kind/:id`, express.raw({ limit: '2mb' }), (request, response) =>
      this.#append(request, response),
    );
    app.post(`${base}/submit`, (request, response) => {
      if (this.status === 'Processing') return void response.json(this.#session(request));
      const missing = captureKinds.filter((kind) => !this.captures.has(kind));
      if (missing.length > 0) return problem(response, 422, { code: 'captures_missing', missing });
      this.status = 'Processing';
      response.json(this.#session(request));
    });
    return app;
  }

  #open(request: Request, response: Response): void {
    if (this.closedStatus)
      return problem(response, 410, { code: 'link_closed', linkStatus: this.closedStatus, reason: this.closedReason });
    if (this.owner && cookieOf(request) !== this.owner) return problem(response, 403, { code: 'link_taken' });
    this.owner ??= randomUUID();
    this.status = 'InProgress';
    response.cookie('owner', this.owner, { httpOnly: true, sameSite: 'strict' });
    request.headers.cookie = `owner=${this.owner}`;
    response.json(this.#session(request));
  }

  #append(request: Request, response: Response): void {
    const id = String(request.params['id']);
    const offset = Number(request.get('upload-offset'));
    const body = request.body as Buffer;
    this.chunks.push({ offset, length: body.length });
    const uploadFailure = this.uploadFailure(this.chunks.length);
    if (uploadFailure === 'drop') return void request.socket.destroy();
    if (uploadFailure === 'busy') {
      response.set('Retry-After', '1');
      return problem(response, 503, { code: 'unavailable' });
    }
    if (uploadFailure === 'forget') this.#uploads.delete(id);
    const upload = this.#uploads.get(id);
    if (!upload) return problem(response, 404, { code: 'upload_not_found' });
    const { kind, size, bytes } = upload;
    if (offset !== bytes.length) return problem(response, 409, { code: 'upload_offset', received: bytes.length });
    if (uploadFailure === 'reject') return problem(response, 422, { code: 'image_rejected', reason: 'blurred' });
    upload.bytes = Buffer.concat([bytes, body]);
    const received = upload.bytes.length;
    const done = received === size;
    if (done) {
      this.#uploads.delete(id);
      this.captures.set(kind, upload.bytes);
    }
    if (uploadFailure === 'lose') return void request.socket.destroy();
    if (uploadFailure === 'cut') {
      response.set('Content-Length', '99').write('{');
      return void setTimeout(() => request.socket.destroy(), 50);
    }
    response.json({ received, done });
  }
}

const kindOf = (request: Request) => String(request.params['kind']) as CaptureKind;

const cookieOf = (request: Request) => /owner=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];

function problem(response: Response, status: number, body: object): void {
  response.status(status).type('application/problem+json').send(JSON.stringify(body));
}
