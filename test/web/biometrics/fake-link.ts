import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';
import { sendClosed, sendShell } from '../../../api/hosted/biometrics-page';
import { readBuiltPages } from '../../../api/pages/built-pages';
import type { BiometricsSettings, ClosedReason } from '../../../api/pages/rendered-pages';
import { serveSite } from '../../../api/site/site';
import type { CaptureKind } from '../../../domain/biometrics/biometrics';
import type { Language } from '../../../domain/transactions/input';

const dependencies = { config: { BRAND: 'Loja <b>&', DEFAULT_LANGUAGE: 'en' }, builtPages: readBuiltPages() } as const;

const captureKinds: readonly CaptureKind[] = ['documentFront', 'documentBack', 'selfie'];

type Status = 'Waiting' | 'InProgress' | 'Processing' | 'Approved' | 'Rejected' | 'Inconclusive';

interface Upload {
  kind: CaptureKind;
  size: number;
  bytes: Buffer;
}

/**
 * What happens to a chunk (a part of an image). The connection is reset before (`drop`) or after (`lose`) the bytes are saved, or in the
 * middle of the response (`cut`). `busy`: 503. `reject`: 422. `forget`: the upload is lost, 404.
 */
export type UploadFailure = 'drop' | 'lose' | 'cut' | 'busy' | 'reject' | 'forget';

/** A server with one biometrics link: its page and its JSON API. Tests set the state, and read the received requests. */
export class FakeLink {
  language: Language = 'en';
  /** If set, the page says that the link is closed. */
  pageClosedReason: ClosedReason | undefined;
  /** Whether the consent mentions a face verifier. */
  verifiesFaces = false;
  /** Whether the page promises a message after the decision. */
  announcesMessage = false;
  /** Other settings, such as the return URL of the page. */
  settings: Partial<BiometricsSettings> = {};
  /**
   * If set, the link is closed with this status: only the page, its files, the session and the QR code can be read. Other requests get 410.
   */
  apiClosedStatus: string | undefined;
  /** The field `reason` of these 410 responses. */
  apiClosedReason: 'erased' | 'ended' | undefined;
  chunkBytesMax = 1_048_576;
  /** Gets the number of each chunk, from 1. If it returns undefined, the chunk is saved. */
  failUpload: (chunk: number) => UploadFailure | undefined = () => undefined;
  status: Status = 'Waiting';
  /** Cookie of the browser that owns the link. */
  owner: string | undefined;
  consented = false;
  /** The session reports these images although they are missing, as in a stale record. */
  staleCaptures: readonly CaptureKind[] = [];
  /** Images that were uploaded completely. */
  readonly captures = new Map<CaptureKind, Buffer>();
  readonly chunks: { offset: number; length: number }[] = [];
  /** Every received request, such as `POST /open`. `{id}` stands for any id. */
  readonly requests: string[] = [];
  readonly #uploads = new Map<string, Upload>();
  #close: () => Promise<void> = async () => undefined;
  url = '';

  static async open(): Promise<FakeLink> {
    const link = new FakeLink();
    const server = link.#createApp().listen(0, '127.0.0.1');
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

  #viewSession(request: Request) {
    const isOwner = cookieOf(request) === this.owner;
    const owner = this.owner === undefined ? 'nobody' : isOwner ? 'you' : 'other';
    const captures = Object.fromEntries(
      captureKinds.map((kind) => [kind, this.captures.has(kind) || this.staleCaptures.includes(kind)]),
    );
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const consented = this.consented || this.staleCaptures.length > 0;
    return { status: this.status, owner, consented, captures, expiresAt };
  }

  #createApp() {
    const app = express();
    const base = '/biometrics/t0ken';
    app.use((request, response, next) => {
      // Each request gets a new connection: if a reused connection is reset, a browser repeats the request by itself, and the page does not
      // see the failure.
      response.set('Connection', 'close');
      this.requests.push(`${request.method} ${request.path.replace(base, '').replace(/[0-9a-f-]{36}/, '{id}')}`);
      next();
    });
    app.get('/assets/:file', (request, response) => serveSite(dependencies, request, response));
    app.get(base, (_request, response) => {
      const { language, pageClosedReason: reason, verifiesFaces, announcesMessage } = this;
      const settings = { base, keptDays: 90, verifiesFaces, announcesMessage, ...this.settings };
      if (reason) sendClosed(dependencies, response, { language, reason });
      else sendShell(dependencies, response, { language, settings });
    });
    app.get(`${base}/session`, (request, response) => void response.json(this.#viewSession(request)));
    app.get(`${base}/qr.svg`, (_request, response) => {
      response
        .type('svg')
        .send('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h3v3H1z"/></svg>');
    });
    app.post(`${base}/open`, (request, response) => this.#open(request, response));
    app.use(base, (request, response, next) => {
      if (this.apiClosedStatus)
        sendProblem(response, 410, {
          code: 'link_closed',
          linkStatus: this.apiClosedStatus,
          reason: this.apiClosedReason,
        });
      else if (!this.owner || cookieOf(request) !== this.owner) sendProblem(response, 403, { code: 'link_taken' });
      else next();
    });
    app.post(`${base}/consent`, (request, response) => {
      this.consented = true;
      response.json(this.#viewSession(request));
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
      else sendProblem(response, 404, { code: 'upload_not_found' });
    });
    app.post(`${base}/captures/:kind/:id`, express.raw({ limit: '2mb' }), (request, response) =>
      this.#append(request, response),
    );
    app.post(`${base}/submit`, (request, response) => {
      if (this.status === 'Processing') return void response.json(this.#viewSession(request));
      const missing = captureKinds.filter((kind) => !this.captures.has(kind));
      if (missing.length > 0) return sendProblem(response, 422, { code: 'captures_missing', missing });
      this.status = 'Processing';
      response.json(this.#viewSession(request));
    });
    return app;
  }

  #open(request: Request, response: Response): void {
    if (this.apiClosedStatus)
      return sendProblem(response, 410, {
        code: 'link_closed',
        linkStatus: this.apiClosedStatus,
        reason: this.apiClosedReason,
      });
    if (this.owner && cookieOf(request) !== this.owner) return sendProblem(response, 403, { code: 'link_taken' });
    this.owner ??= randomUUID();
    this.status = 'InProgress';
    // The attributes of the cookie, as in the service, if another site may show the page in a frame.
    const crossSite = { sameSite: 'none', secure: true, partitioned: true } as const;
    response.cookie('owner', this.owner, {
      httpOnly: true,
      ...(this.settings.frame ? crossSite : { sameSite: 'lax' }),
    });
    request.headers.cookie = `owner=${this.owner}`;
    response.json(this.#viewSession(request));
  }

  #append(request: Request, response: Response): void {
    const id = String(request.params['id']);
    const offset = Number(request.get('upload-offset'));
    const body = request.body as Buffer;
    this.chunks.push({ offset, length: body.length });
    const failure = this.failUpload(this.chunks.length);
    if (failure === 'drop') return void request.socket.destroy();
    if (failure === 'busy') {
      response.set('Retry-After', '1');
      return sendProblem(response, 503, { code: 'service_unavailable' });
    }
    if (failure === 'forget') this.#uploads.delete(id);
    const upload = this.#uploads.get(id);
    if (!upload) return sendProblem(response, 404, { code: 'upload_not_found' });
    const { kind, size, bytes } = upload;
    if (offset !== bytes.length) return sendProblem(response, 409, { code: 'upload_offset', received: bytes.length });
    if (failure === 'reject') return sendProblem(response, 422, { code: 'image_rejected', reason: 'blurred' });
    upload.bytes = Buffer.concat([bytes, body]);
    const received = upload.bytes.length;
    const done = received === size;
    if (done) {
      this.#uploads.delete(id);
      this.captures.set(kind, upload.bytes);
    }
    if (failure === 'lose') return void request.socket.destroy();
    if (failure === 'cut') {
      response.set('Content-Length', '99').write('{');
      return void setTimeout(() => request.socket.destroy(), 50);
    }
    response.json({ received, done });
  }
}

const kindOf = (request: Request) => String(request.params['kind']) as CaptureKind;

const cookieOf = (request: Request) => /owner=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];

function sendProblem(response: Response, status: number, body: object): void {
  response.status(status).type('application/problem+json').send(JSON.stringify(body));
}
