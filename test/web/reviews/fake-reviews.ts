import express, { type Express, type Request, type Response } from 'express';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { readBuiltPages } from '../../../api/pages/built-pages';
import { showReviews } from '../../../api/reviews/reviews';
import { serveSite } from '../../../api/site/site';
import { type CaptureKind, captureKinds } from '../../../domain/biometrics/biometrics';
import { chosenFiles } from '../../api/biometrics/page/chosen-files';
import { buildReview, type Review } from './build-review';

/**
 * What happens to a decision. `lose`: the decision is saved, but the response is lost. `taken`: another reviewer has decided. `busy`: 503.
 * `invalid`: 400. `internal`: 500.
 */
export type DecisionFailure = 'lose' | 'busy' | 'taken' | 'invalid' | 'internal';

interface SavedDecision {
  /** The id of the review. */
  id: string;
  /** The idempotency key of the request. */
  key: string | undefined;
  body: { status: string; reason: string };
  /** Client id of the reviewer. */
  by: string;
}

const builtPages = readBuiltPages();

/** The review page and its JSON API. Tests set the reviews, and read the received requests and decisions. */
export class FakeReviews {
  /** The secrets by client id. */
  readonly secrets = new Map([
    ['reviewer-1', 'right'],
    ['reviewer-2', 'right'],
  ]);
  reviews: Review[] = [buildReview()];
  /** Client ids by valid access token. */
  readonly tokens = new Map<string, string>();
  /** Whether access tokens have the scope biometrics:review. */
  tokensHaveScope = true;
  /** If true, the list still contains decided reviews. */
  listIsStale = false;
  /** One entry for each of the next decisions. If the list is empty, decisions are saved. */
  decisionFailures: DecisionFailure[] = [];
  /** Every arrived decision, including repeats. */
  readonly receivedDecisions: SavedDecision[] = [];
  /** The saved decisions, by the id of the review. */
  readonly savedDecisions = new Map<string, SavedDecision>();
  /** Every received request, such as `GET /v1/reviews`. `{id}` stands for any id. */
  readonly requests: string[] = [];
  /** Image URLs are valid only with this signature. Each read of a review returns image URLs with the current signature. */
  signature = 1;
  url = '';
  #close: () => Promise<void> = async () => undefined;

  static async open(): Promise<FakeReviews> {
    const fake = new FakeReviews();
    const server = fake.#createApp().listen(0, '127.0.0.1');
    await once(server, 'listening');
    fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/reviews`;
    fake.#close = async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    };
    return fake;
  }

  close = (): Promise<void> => this.#close();

  expireTokens = (): void => this.tokens.clear();

  /** Makes all returned image URLs invalid. */
  expireImages = (): void => {
    this.signature += 1;
  };

  /** `line`: a request, such as `GET /v1/reviews/{id}`. */
  countRequests = (line: string): number => this.requests.filter((request) => request === line).length;

  #createApp(): Express {
    const app = express();
    const dependencies = { config: { BRAND: 'Loja <b>&', DEFAULT_LANGUAGE: 'en' }, builtPages } as const;
    app.use((request, response, next) => {
      // Each request gets a new connection: if a reused connection is reset, a browser repeats the request by itself, and the page does not
      // see the failure.
      response.set('Connection', 'close');
      this.requests.push(`${request.method} ${request.path.replace(/[0-9a-f-]{36}/, '{id}')}`);
      next();
    });
    app.get('/reviews', (request, response) => showReviews(dependencies, request, response));
    app.get('/assets/:file', (request, response) => serveSite(dependencies, request, response));
    app.post('/v1/authentication', express.json(), (request, response) => {
      const { Username, Password } = request.body as { Username: string; Password: string };
      if (this.secrets.get(Username) !== Password) return sendProblem(response, 401, 'credentials_invalid');
      const token = randomUUID();
      this.tokens.set(token, Username);
      response.json({ token, expiresInSeconds: 7_200 });
    });
    app.get('/images/:kind', (request, response) => {
      if (request.query['signature'] !== String(this.signature)) return sendProblem(response, 410, 'image_url_expired');
      response.type('png').send(chosenFiles.good.buffer);
    });
    app.use('/v1/reviews', (request, response, next) => {
      if (!this.#clientOf(request)) sendProblem(response, 401, 'unauthorized');
      else if (!this.tokensHaveScope) sendProblem(response, 403, 'insufficient_scope');
      else next();
    });
    app.get('/v1/reviews', (request, response) => this.#list(request, response));
    app.get('/v1/reviews/:id', (request, response) => this.#read(request, response));
    app.post('/v1/reviews/:id/decision', express.json(), (request, response) => this.#decide(request, response));
    return app;
  }

  #clientOf(request: Request): string | undefined {
    return this.tokens.get(/^Bearer (.+)$/.exec(request.get('authorization') ?? '')?.[1] ?? '');
  }

  #list({ query }: Request, response: Response): void {
    const openReviews = this.reviews.filter(({ id }) => this.listIsStale || !this.savedDecisions.has(id));
    const start = query['after'] ? Number(query['after']) : 0;
    const end = start + Number(query['limit']);
    const page = openReviews.slice(start, end).map((review) => {
      const { id, transactionId, submittedAt, identifierDate, language, findings } = review;
      return { id, transactionId, submittedAt, identifierDate, language, findings };
    });
    response.json({ reviews: page, ...(end < openReviews.length ? { next: String(end) } : {}) });
  }

  #read({ params }: Request, response: Response): void {
    const review = this.reviews.find(({ id }) => id === params['id']);
    if (!review) return sendProblem(response, 404, 'review_not_found');
    const { identifierDate: _date, language: _language, ...fields } = review;
    const address = (kind: CaptureKind) => `https://public.example/images/${kind}?signature=${this.signature}`;
    const images = Object.fromEntries(captureKinds.map((kind) => [kind, address(kind)]));
    response.json({ ...fields, images, expirationDateUtc: new Date(Date.now() + 300_000).toISOString() });
  }

  #decide(request: Request, response: Response): void {
    const id = String(request.params['id']);
    const key = request.get('idempotency-key');
    const decision = { id, key, body: request.body as SavedDecision['body'], by: this.#clientOf(request) ?? '' };
    this.receivedDecisions.push(decision);
    const failure = this.decisionFailures.shift();
    if (failure === 'busy') {
      response.set('Retry-After', '1');
      return sendProblem(response, 503, 'service_unavailable');
    }
    if (failure === 'internal') return sendProblem(response, 500, 'internal_error');
    if (failure === 'invalid')
      return sendProblem(response, 400, 'validation_failed', { reason: ['must not be shouted'] });
    const earlierDecision = this.savedDecisions.get(id);
    if (failure === 'taken' || (earlierDecision && earlierDecision.key !== key))
      return sendProblem(response, 409, 'not_in_review');
    this.savedDecisions.set(id, earlierDecision ?? decision);
    if (failure === 'lose') return void request.socket.destroy();
    const transactionId = this.reviews.find((review) => review.id === id)?.transactionId;
    response.json({ id, transactionId, status: decision.body.status, decidedAt: new Date().toISOString() });
  }
}

function sendProblem(response: Response, status: number, code: string, errors?: Record<string, string[]>): void {
  const body = { title: `Title of ${code}`, detail: `Detail of ${code}.`, status, code, traceId: 'trace-1', errors };
  response.status(status).type('application/problem+json').send(JSON.stringify(body));
}
