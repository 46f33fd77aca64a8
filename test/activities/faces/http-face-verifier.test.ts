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
import { runInActivity } from '../../support/new-activity';

/** The first bytes of JPEGs, and every byte value: a text encoding would change some of them. */
const everyByte = Array.from({ length: 256 }, (_, byte) => byte);
const selfie = Buffer.from([0xff, 0xd8, 0xff, ...everyByte, 1]);
const documentFront = Buffer.from([0xff, 0xd8, 0xff, ...everyByte, 2]);
const findings = { similarity: 0.93, liveness: 0.88, selfieFaces: 1, documentFaces: 1, notes: ['glare', 'v2.1:id-3'] };

const respondWith =
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
const longTimeoutMs = 20_000;

const verify = (url: string, { timeoutMs = longTimeoutMs, token = '', images = { selfie, documentFront } } = {}) =>
  runInActivity(() => createHttpFaceVerifier({ url, timeoutMs, ...(token ? { token } : {}) }).verify(images));

const failureOf = (url: string, options = {}): Promise<unknown> =>
  verify(url, options).then(
    (found) => found,
    (error: unknown) => error,
  );

describe('a face verifier', () => {
  it('gets one POST with two JPEGs and its token, and its findings are returned', async () => {
    const requests: unknown[] = [];
    const see = async (request: http.IncomingMessage) => {
      const { method, url: path, headers } = request;
      const sent = Buffer.concat(await request.toArray());
      const form = await new Response(sent, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
      const formParts = [...form].map(async ([name, part]) =>
        typeof part === 'string' ? [name] : [name, part.type, part.name, Buffer.from(await part.arrayBuffer())],
      );
      requests.push([method, path, headers.authorization, headers['content-length'], await Promise.all(formParts)]);
    };
    const url = await serve(
      (request, response) => void see(request).finally(() => response.end(JSON.stringify(findings))),
    );
    expect(await verify(url, { token: 'of-the-house' })).toEqual(findings);
    expect(await verify(url)).toEqual(findings);
    const length = expect.stringMatching(/^\d+$/) as unknown;
    const expectedParts = [
      ['selfie', 'image/jpeg', 'selfie.jpg', selfie],
      ['documentFront', 'image/jpeg', 'documentFront.jpg', documentFront],
    ];
    expect(requests).toEqual([
      ['POST', '/faces', 'Bearer of-the-house', length, expectedParts],
      ['POST', '/faces', undefined, length, expectedParts],
    ]);
  });

  it.each<[string, object, object]>([
    ['found nothing', {}, { notes: [] }],
    ['only counted faces', { selfieFaces: 0, documentFaces: 3 }, { selfieFaces: 0, documentFaces: 3, notes: [] }],
    ['is sure', { similarity: 1, liveness: 0 }, { similarity: 1, liveness: 0, notes: [] }],
    ['returned additional fields, which are ignored', { ...findings, person: 'Maria', selfie: 'data:' }, findings],
    ['notes twenty codes', { notes: Array(20).fill('a'.repeat(60)) }, { notes: Array(20).fill('a'.repeat(60)) }],
  ])('%s', async (_, body, expected) => {
    expect(await verify(await serve(respondWith(body)))).toStrictEqual(expected);
  });

  const full = JSON.stringify(findings).padEnd(65_536);
  it.each<[string, http.RequestListener]>([
    ['as it is', respondWith(full)],
    ['compressed', gzipped(gzipSync(full))],
  ])('may return 64 KiB, %s', async (_, listener) => {
    expect(await verify(await serve(listener))).toEqual(findings);
  });
});

const name = 'Maria-Silva';
const withNotes = (...notes: unknown[]) => respondWith({ ...findings, notes });
const found = (change: object) => respondWith({ ...findings, ...change });

const rejections: [string, RejectionReason, http.RequestListener][] = [
  ['refuses the token', 'refused', respondWith(name, 401)],
  ['rejects the images', 'refused', respondWith(name, 422)],
  ['refuses before it has read the images', 'refused', (_, response) => void response.writeHead(413).end(name)],
  ['returns 304', 'redirect', respondWith('', 304)],
  ['has no content', 'form', (_, response) => void response.writeHead(204).end()],
  ['answers later', 'form', respondWith(findings, 202)],
  ['answers nothing', 'form', respondWith('')],
  ['answers a page', 'form', respondWith(`<h1>${name}</h1>`)],
  ['answers a list', 'form', respondWith([findings])],
  ['answers null', 'form', respondWith('null')],
  ['answers more than one thing', 'form', respondWith('{}{}')],
  ['counts in percent', 'form', found({ similarity: 93 })],
  ['is less than unlike', 'form', found({ similarity: -0.01 })],
  ['writes a number as text', 'form', found({ liveness: '0.9' })],
  ['writes a truth for a number', 'form', found({ liveness: true })],
  ['writes null for a number', 'form', found({ similarity: null })],
  ['returns a number out of range', 'form', respondWith('{"similarity":1e999}')],
  ['sees half a face', 'form', found({ selfieFaces: 1.5 })],
  ['returns a negative number of faces', 'form', found({ documentFaces: -1 })],
  ['sees more faces than can be counted', 'form', respondWith('{"selfieFaces":1e300}')],
  ['returns a list of faces', 'form', found({ documentFaces: [1] })],
  ['notes a sentence', 'form', withNotes('It is Maria.')],
  ['notes NUL', 'form', withNotes('a\u0000b')],
  ['notes a control character', 'form', withNotes('a\u001bb')],
  ['notes a line that ends', 'form', withNotes('glare\n')],
  ['notes half a character', 'form', withNotes('a\ud800b')],
  ['notes nothing', 'form', withNotes('')],
  ['notes at length', 'form', withNotes('a'.repeat(61))],
  ['notes a number', 'form', withNotes(7)],
  ['notes twenty-one codes', 'form', withNotes(...Array<string>(21).fill('glare'))],
  ['notes ten thousand codes', 'form', withNotes(...Array<string>(10_000).fill('a'))],
  ['returns a code in place of a list', 'form', found({ notes: 'glare' })],
  ['notes null', 'form', found({ notes: null })],
  [
    'writes no UTF-8',
    'form',
    (_, response) => void response.end(Buffer.from(JSON.stringify({ ...findings, name: 'é' }), 'latin1')),
  ],
  ['writes more than 64 KiB', 'size', respondWith(JSON.stringify(findings) + ' '.repeat(65_536))],
  ['inflates to more than 64 KiB', 'size', gzipped(gzipSync(Buffer.alloc(50_000_000, ' ')))],
];

const outages: [string, UnavailableReason, http.RequestListener][] = [
  ['returns 429', 'busy', respondWith(name, 429)],
  ['fails', 'failing', respondWith(name, 500)],
  ['is not there behind its gate', 'failing', respondWith(findings, 503)],
  ['hangs up', 'unreachable', (request) => void request.socket.destroy()],
  [
    'hangs up in the middle',
    'unreachable',
    (_, response) => void response.writeHead(200, { 'content-length': 900 }).write('{', () => response.destroy()),
  ],
  ['does not speak HTTP', 'unreachable', (request) => void request.socket.end(`${name}\r\n\r\n`)],
  ['declares gzip and sends plain text', 'unreachable', gzipped(Buffer.from(JSON.stringify(findings)))],
];

/** All texts of an error that a log or a history could contain. */
function detailsOf(error: unknown): object {
  const { name, message, cause, reason, isUnavailable } = error as FaceVerifierError;
  return { class: error instanceof FaceVerifierError, name, message, cause, reason, isUnavailable };
}
const failure = (reason: UnavailableReason | RejectionReason, isUnavailable: boolean) => ({
  class: true,
  name: 'FaceVerifierError',
  message: `The face verifier gave no findings: ${reason}.`,
  cause: undefined,
  reason,
  isUnavailable,
});

describe('a face verifier fails without a retry when it', () => {
  it.each(rejections)('%s (%s)', async (_, reason, listener) => {
    expect(detailsOf(await failureOf(await serve(listener)))).toEqual(failure(reason, false));
  });

  it('redirects, which is not followed', async () => {
    const requestedPaths: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      requestedPaths.push(request.url);
      if (request.url === '/other') respondWith(findings)(request, response);
      else request.resume().once('end', () => response.writeHead(307, { location: '/other' }).end());
    });
    expect(detailsOf(await failureOf(url))).toEqual(failure('redirect', false));
    expect(requestedPaths).toEqual(['/faces']);
  });

  it('sends too much, and is disconnected', async () => {
    let hungUp: Promise<unknown> | undefined;
    const url = await serve((request, response) => {
      hungUp = new Promise((resolve) => void request.socket.once('close', resolve));
      const sendEndlessly = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      };
      response.on('drain', sendEndlessly);
      sendEndlessly();
    });
    expect(detailsOf(await failureOf(url))).toEqual(failure('size', false));
    await hungUp;
  });
});

describe('a face verifier is retried when it', () => {
  it.each(outages)('%s (%s)', async (_, reason, listener) => {
    expect(detailsOf(await failureOf(await serve(listener)))).toEqual(failure(reason, true));
  });

  it('is unreachable', async () => {
    const url = await serve(respondWith(''));
    server?.close();
    await once(server as http.Server, 'close');
    server = undefined;
    expect(detailsOf(await failureOf(url))).toEqual(failure('unreachable', true));
  });

  it('does not respond in time', async () => {
    const url = await serve(() => undefined);
    expect(detailsOf(await failureOf(url, { timeoutMs: 50 }))).toEqual(failure('timeout', true));
  });

  it('does not read the images in time', async () => {
    const url = await serve((request) => void request.pause());
    const images = { selfie: Buffer.alloc(20_000_000), documentFront };
    expect(detailsOf(await failureOf(url, { timeoutMs: 300, images }))).toEqual(failure('timeout', true));
  });

  it('never ends its response', async () => {
    const url = await serve((request, response) => {
      const trickle = setInterval(() => response.write(' '), 10);
      request.socket.once('close', () => clearInterval(trickle));
    });
    expect(detailsOf(await failureOf(url, { timeoutMs: 300 }))).toEqual(failure('timeout', true));
  });
});
