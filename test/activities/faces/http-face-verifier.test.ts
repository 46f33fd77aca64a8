import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import {
  type UnavailableReason,
  FaceVerifierError,
  type RejectionReason,
} from '../../../activities/faces/face-verifier';
import { createHttpFaceVerifier } from '../../../activities/faces/http-face-verifier';
import { inActivity } from '../../support/new-activity';

/** The first bytes of JPEGs, and every byte value: a text encoding would change some of them. */
const everyByte = Array.from({ length: 256 }, (_, byte) => byte);
const selfie = Buffer.from([0xff, 0xd8, 0xff, ...everyByte, 1]);
const documentFront = Buffer.from([0xff, 0xd8, 0xff, ...everyByte, 2]);
const findings = { similarity: 0.93, liveness: 0.88, selfieFaces: 1, documentFaces: 1, notes: ['glare', 'v2.1:id-3'] };

const answering =
  (body: unknown, status = 200): http.RequestListener =>
  (request, response) =>
    void request
      .resume()
      .once('end', () => response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body)));

const gzipped =
  (bytes: Buffer): http.RequestListener =>
  (request, response) =>
    void request.resume().once('end', () => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes));

let server: http.Server | undefined;
afterEach(async () => {
  const closing = server;
  server = undefined;
  if (!closing) return;
  closing.closeAllConnections();
  await new Promise((resolve) => closing.close(resolve));
});

async function serve(listener: http.RequestListener): Promise<string> {
  server = http.createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/faces`;
}

/** Long enough for every expected response, even on a busy machine. */
const patientMs = 20_000;

const ask = (url: string, { timeoutMs = patientMs, token = '', images = { selfie, documentFront } } = {}) =>
  inActivity(() => createHttpFaceVerifier({ url, timeoutMs, ...(token ? { token } : {}) }).verify(images));

const failureOf = (url: string, options = {}): Promise<unknown> =>
  ask(url, options).then(
    (found) => found,
    (error: unknown) => error,
  );

describe('a face verifier', () => {
  it('gets one POST with two JPEGs and its token, and its findings are returned', async () => {
    const seen: unknown[] = [];
    const see = async (request: http.IncomingMessage) => {
      const { method, url: path, headers } = request;
      const sent = Buffer.concat(await request.toArray());
      const form = await new Response(sent, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
      const parts = [...form].map(async ([name, part]) =>
        typeof part === 'string' ? [name] : [name, part.type, part.name, Buffer.from(await part.arrayBuffer())],
      );
      seen.push([method, path, headers.authorization, headers['content-length'], await Promise.all(parts)]);
    };
    const url = await serve(
      (request, response) => void see(request).finally(() => response.end(JSON.stringify(findings))),
    );
    expect(await ask(url, { token: 'of-the-house' })).toEqual(findings);
    expect(await ask(url)).toEqual(findings);
    const length = expect.stringMatching(/^\d+$/) as unknown;
    const parts = [
      ['selfie', 'image/jpeg', 'selfie.jpg', selfie],
      ['documentFront', 'image/jpeg', 'documentFront.jpg', documentFront],
    ];
    expect(seen).toEqual([
      ['POST', '/faces', 'Bearer of-the-house', length, parts],
      ['POST', '/faces', undefined, length, parts],
    ]);
  });

  it.each<[string, object, object]>([
    ['found nothing', {}, { notes: [] }],
    ['only counted faces', { selfieFaces: 0, documentFaces: 3 }, { selfieFaces: 0, documentFaces: 3, notes: [] }],
    ['is sure', { similarity: 1, liveness: 0 }, { similarity: 1, liveness: 0, notes: [] }],
    ['returned additional fields, which are ignored', { ...findings, person: 'Maria', selfie: 'data:' }, findings],
    ['notes twenty codes', { notes: Array(20).fill('a'.repeat(60)) }, { notes: Array(20).fill('a'.repeat(60)) }],
  ])('%s', async (_, body, taken) => {
    expect(await ask(await serve(answering(body)))).toStrictEqual(taken);
  });

  const full = JSON.stringify(findings).padEnd(65_536);
  it.each<[string, http.RequestListener]>([
    ['as it is', answering(full)],
    ['compressed', gzipped(gzipSync(full))],
  ])('may return 64 KiB, %s', async (_, listener) => {
    expect(await ask(await serve(listener))).toEqual(findings);
  });
});

const word = 'Maria-Silva';
const noted = (...notes: unknown[]) => answering({ ...findings, notes });
const found = (change: object) => answering({ ...findings, ...change });

const refused: [string, RejectionReason, http.RequestListener][] = [
  ['refuses the token', 'refused', answering(word, 401)],
  ['rejects the images', 'refused', answering(word, 422)],
  ['refuses before it has read the images', 'refused', (_, response) => void response.writeHead(413).end(word)],
  ['returns 304', 'redirect', answering('', 304)],
  ['has no content', 'form', (_, response) => void response.writeHead(204).end()],
  ['answers later', 'form', answering(findings, 202)],
  ['answers nothing', 'form', answering('')],
  ['answers a page', 'form', answering(`<h1>${word}</h1>`)],
  ['answers a list', 'form', answering([findings])],
  ['answers null', 'form', answering('null')],
  ['answers more than one thing', 'form', answering('{}{}')],
  ['counts in percent', 'form', found({ similarity: 93 })],
  ['is less than unlike', 'form', found({ similarity: -0.01 })],
  ['writes a number as text', 'form', found({ liveness: '0.9' })],
  ['writes a truth for a number', 'form', found({ liveness: true })],
  ['writes null for a number', 'form', found({ similarity: null })],
  ['returns a number out of range', 'form', answering('{"similarity":1e999}')],
  ['sees half a face', 'form', found({ selfieFaces: 1.5 })],
  ['returns a negative number of faces', 'form', found({ documentFaces: -1 })],
  ['sees more faces than can be counted', 'form', answering('{"selfieFaces":1e300}')],
  ['returns a list of faces', 'form', found({ documentFaces: [1] })],
  ['notes a sentence', 'form', noted('It is Maria.')],
  ['notes NUL', 'form', noted('a\u0000b')],
  ['notes a control character', 'form', noted('a\u001bb')],
  ['notes a line that ends', 'form', noted('glare\n')],
  ['notes half a character', 'form', noted('a\ud800b')],
  ['notes nothing', 'form', noted('')],
  ['notes at length', 'form', noted('a'.repeat(61))],
  ['notes a number', 'form', noted(7)],
  ['notes twenty-one codes', 'form', noted(...Array<string>(21).fill('glare'))],
  ['notes ten thousand codes', 'form', noted(...Array<string>(10_000).fill('a'))],
  ['returns a code in place of a list', 'form', found({ notes: 'glare' })],
  ['notes null', 'form', found({ notes: null })],
  [
    'writes no UTF-8',
    'form',
    (_, response) => void response.end(Buffer.from(JSON.stringify({ ...findings, name: 'é' }), 'latin1')),
  ],
  ['writes more than 64 KiB', 'size', answering(JSON.stringify(findings) + ' '.repeat(65_536))],
  ['inflates to more than 64 KiB', 'size', gzipped(gzipSync(Buffer.alloc(50_000_000, ' ')))],
];

const away: [string, UnavailableReason, http.RequestListener][] = [
  ['returns 429', 'busy', answering(word, 429)],
  ['fails', 'failing', answering(word, 500)],
  ['is not there behind its gate', 'failing', answering(findings, 503)],
  ['hangs up', 'unreachable', (request) => void request.socket.destroy()],
  [
    'hangs up in the middle',
    'unreachable',
    (_, response) => void response.writeHead(200, { 'content-length': 900 }).write('{', () => response.destroy()),
  ],
  ['does not speak HTTP', 'unreachable', (request) => void request.socket.end(`${word}\r\n\r\n`)],
  ['declares gzip and sends plain text', 'unreachable', gzipped(Buffer.from(JSON.stringify(findings)))],
];

/** All texts of an error that a log or a history could contain. */
function toldBy(error: unknown): object {
  const { name, message, cause, reason, isUnavailable } = error as FaceVerifierError;
  return { class: error instanceof FaceVerifierError, name, message, cause, reason, isAway: isUnavailable };
}
const failure = (reason: UnavailableReason | RejectionReason, isAway: boolean) => ({
  class: true,
  name: 'FaceVerifierError',
  message: `The face verifier gave no findings: ${reason}.`,
  cause: undefined,
  reason,
  isAway,
});

describe('a face verifier fails without a retry when it', () => {
  it.each(refused)('%s (%s)', async (_, reason, listener) => {
    expect(toldBy(await failureOf(await serve(listener)))).toEqual(failure(reason, false));
  });

  it('redirects, which is not followed', async () => {
    const asked: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      asked.push(request.url);
      if (request.url === '/other') answering(findings)(request, response);
      else request.resume().once('end', () => response.writeHead(307, { location: '/other' }).end());
    });
    expect(toldBy(await failureOf(url))).toEqual(failure('redirect', false));
    expect(asked).toEqual(['/faces']);
  });

  it('sends too much, and is disconnected', async () => {
    let hungUp: Promise<unknown> | undefined;
    const url = await serve((request, response) => {
      hungUp = new Promise((resolve) => void request.socket.once('close', resolve));
      const flood = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      };
      response.on('drain', flood);
      flood();
    });
    expect(toldBy(await failureOf(url))).toEqual(failure('size', false));
    await hungUp;
  });
});

describe('a face verifier is retried when it', () => {
  it.each(away)('%s (%s)', async (_, reason, listener) => {
    expect(toldBy(await failureOf(await serve(listener)))).toEqual(failure(reason, true));
  });

  it('is unreachable', async () => {
    const url = await serve(answering(''));
    server?.close();
    await once(server as http.Server, 'close');
    server = undefined;
    expect(toldBy(await failureOf(url))).toEqual(failure('unreachable', true));
  });

  it('does not respond in time', async () => {
    const url = await serve(() => undefined);
    expect(toldBy(await failureOf(url, { timeoutMs: 50 }))).toEqual(failure('timeout', true));
  });

  it('does not read the images in time', async () => {
    const url = await serve((request) => void request.pause());
    const images = { selfie: Buffer.alloc(20_000_000), documentFront };
    expect(toldBy(await failureOf(url, { timeoutMs: 300, images }))).toEqual(failure('timeout', true));
  });

  it('never ends its response', async () => {
    const url = await serve((request, response) => {
      const trickle = setInterval(() => response.write(' '), 10);
      request.socket.once('close', () => clearInterval(trickle));
    });
    expect(toldBy(await failureOf(url, { timeoutMs: 300 }))).toEqual(failure('timeout', true));
  });
});
