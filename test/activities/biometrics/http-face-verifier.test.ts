import http from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import {
  createHttpFaceVerifier,
  FaceVerifierError,
  type RejectionReason,
  type UnavailableReason,
} from '../../../activities/biometrics/verify-faces';
import { runInActivity } from '../../support/new-activity';

/** Some of these bytes would change if the images were sent as text. */
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

const respondWithGzip =
  (bytes: Buffer): http.RequestListener =>
  (request, response) =>
    void request.resume().once('end', () => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes));

let server: http.Server | undefined;
afterEach(async () => {
  const closingServer = server;
  server = undefined;
  if (!closingServer) return;
  closingServer.closeAllConnections();
  await new Promise((resolve) => closingServer.close(resolve));
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
    (findings) => findings,
    (error: unknown) => error,
  );

describe('a face verifier', () => {
  it('a face verifier gets one POST with two JPEGs and its token, and its findings are returned', async () => {
    const requests: unknown[] = [];
    const recordRequest = async (request: http.IncomingMessage) => {
      const { method, url: path, headers } = request;
      const requestBody = Buffer.concat(await request.toArray());
      const form = await new Response(requestBody, {
        headers: { 'content-type': headers['content-type'] ?? '' },
      }).formData();
      const formParts = [...form].map(async ([name, part]) =>
        typeof part === 'string' ? [name] : [name, part.type, part.name, Buffer.from(await part.arrayBuffer())],
      );
      requests.push([method, path, headers.authorization, headers['content-length'], await Promise.all(formParts)]);
    };
    const url = await serve(
      (request, response) => void recordRequest(request).finally(() => response.end(JSON.stringify(findings))),
    );
    expect(await verify(url, { token: 'of-the-house' })).toEqual(findings);
    expect(await verify(url)).toEqual(findings);
    const contentLength = expect.stringMatching(/^\d+$/) as unknown;
    const expectedParts = [
      ['selfie', 'image/jpeg', 'selfie.jpg', selfie],
      ['documentFront', 'image/jpeg', 'documentFront.jpg', documentFront],
    ];
    expect(requests).toEqual([
      ['POST', '/faces', 'Bearer of-the-house', contentLength, expectedParts],
      ['POST', '/faces', undefined, contentLength, expectedParts],
    ]);
  });

  it.each<[string, object, object]>([
    ['found nothing', {}, { notes: [] }],
    ['only counted faces', { selfieFaces: 0, documentFaces: 3 }, { selfieFaces: 0, documentFaces: 3, notes: [] }],
    ['returned 0 and 1', { similarity: 1, liveness: 0 }, { similarity: 1, liveness: 0, notes: [] }],
    ['returned additional fields, which are ignored', { ...findings, person: 'Maria', selfie: 'data:' }, findings],
    ['returned twenty notes', { notes: Array(20).fill('a'.repeat(60)) }, { notes: Array(20).fill('a'.repeat(60)) }],
  ])('a response is accepted from a face verifier that %s', async (_, body, expected) => {
    expect(await verify(await serve(respondWith(body)))).toStrictEqual(expected);
  });

  const largestBody = JSON.stringify(findings).padEnd(65_536);
  it.each<[string, http.RequestListener]>([
    ['not compressed', respondWith(largestBody)],
    ['compressed', respondWithGzip(gzipSync(largestBody))],
  ])('a response of 64 KiB is accepted (%s)', async (_, listener) => {
    expect(await verify(await serve(listener))).toEqual(findings);
  });
});

const personName = 'Maria-Silva';
const respondWithNotes = (...notes: unknown[]) => respondWith({ ...findings, notes });
const respondWithFindings = (change: object) => respondWith({ ...findings, ...change });

/** Answers after which a request is not retried: what the face verifier does, the reason in the error, and the answer. */
const rejections: [string, RejectionReason, http.RequestListener][] = [
  ['refuses the token', 'refused', respondWith(personName, 401)],
  ['rejects the images', 'refused', respondWith(personName, 422)],
  ['refuses before it has read the images', 'refused', (_, response) => void response.writeHead(413).end(personName)],
  ['returns 304', 'redirect', respondWith('', 304)],
  ['has no content', 'invalid', (_, response) => void response.writeHead(204).end()],
  ['answers with 202', 'invalid', respondWith(findings, 202)],
  ['answers with nothing', 'invalid', respondWith('')],
  ['answers with an HTML page', 'invalid', respondWith(`<h1>${personName}</h1>`)],
  ['answers with a list', 'invalid', respondWith([findings])],
  ['answers with null', 'invalid', respondWith('null')],
  ['answers with two JSON values', 'invalid', respondWith('{}{}')],
  ['returns a similarity in percent', 'invalid', respondWithFindings({ similarity: 93 })],
  ['returns a negative similarity', 'invalid', respondWithFindings({ similarity: -0.01 })],
  ['writes a number as text', 'invalid', respondWithFindings({ liveness: '0.9' })],
  ['writes a boolean for a number', 'invalid', respondWithFindings({ liveness: true })],
  ['writes null for a number', 'invalid', respondWithFindings({ similarity: null })],
  ['returns a number out of range', 'invalid', respondWith('{"similarity":1e999}')],
  ['returns a fraction of a face', 'invalid', respondWithFindings({ selfieFaces: 1.5 })],
  ['returns a negative number of faces', 'invalid', respondWithFindings({ documentFaces: -1 })],
  ['returns too many faces', 'invalid', respondWith('{"selfieFaces":1e300}')],
  ['returns a list of faces', 'invalid', respondWithFindings({ documentFaces: [1] })],
  ['returns a sentence as a note', 'invalid', respondWithNotes('It is Maria.')],
  ['returns a note with NUL', 'invalid', respondWithNotes('a\u0000b')],
  ['returns a note with a control character', 'invalid', respondWithNotes('a\u001bb')],
  ['returns a note with a line break', 'invalid', respondWithNotes('glare\n')],
  ['returns a note with half a character', 'invalid', respondWithNotes('a\ud800b')],
  ['returns an empty note', 'invalid', respondWithNotes('')],
  ['returns a note that is too long', 'invalid', respondWithNotes('a'.repeat(61))],
  ['returns a number as a note', 'invalid', respondWithNotes(7)],
  ['returns twenty-one notes', 'invalid', respondWithNotes(...Array<string>(21).fill('glare'))],
  ['returns ten thousand notes', 'invalid', respondWithNotes(...Array<string>(10_000).fill('a'))],
  ['returns one note in place of a list of notes', 'invalid', respondWithFindings({ notes: 'glare' })],
  ['returns null in place of a list of notes', 'invalid', respondWithFindings({ notes: null })],
  [
    'writes text that is not UTF-8',
    'invalid',
    (_, response) => void response.end(Buffer.from(JSON.stringify({ ...findings, name: 'é' }), 'latin1')),
  ],
  ['writes more than 64 KiB', 'size', respondWith(JSON.stringify(findings) + ' '.repeat(65_536))],
  [
    'sends an answer that has more than 64 KiB after decompression',
    'size',
    respondWithGzip(gzipSync(Buffer.alloc(50_000_000, ' '))),
  ],
];

/** Answers after which a request is retried, with the columns of `rejections`. */
const outages: [string, UnavailableReason, http.RequestListener][] = [
  ['returns 429', 'busy', respondWith(personName, 429)],
  ['returns 500', 'failing', respondWith(personName, 500)],
  ['is not available behind its proxy', 'failing', respondWith(findings, 503)],
  ['closes the connection', 'unreachable', (request) => void request.socket.destroy()],
  [
    'closes the connection in the middle of its answer',
    'unreachable',
    (_, response) => void response.writeHead(200, { 'content-length': 900 }).write('{', () => response.destroy()),
  ],
  ['does not speak HTTP', 'unreachable', (request) => void request.socket.end(`${personName}\r\n\r\n`)],
  ['declares gzip and sends plain text', 'unreachable', respondWithGzip(Buffer.from(JSON.stringify(findings)))],
];

/** What a log or the history of a workflow could contain of an error. */
function detailsOf(error: unknown): object {
  const { name, message, cause, reason, isUnavailable } = error as FaceVerifierError;
  return { hasRightClass: error instanceof FaceVerifierError, name, message, cause, reason, isUnavailable };
}
const expectedFailure = (reason: UnavailableReason | RejectionReason, isUnavailable: boolean) => ({
  hasRightClass: true,
  name: 'FaceVerifierError',
  message: `The face verifier gave no findings: ${reason}.`,
  cause: undefined,
  reason,
  isUnavailable,
});

describe('a wrong answer of a face verifier', () => {
  it.each(rejections)('a request fails without a retry if the face verifier %s (%s)', async (_, reason, listener) => {
    expect(detailsOf(await failureOf(await serve(listener)))).toEqual(expectedFailure(reason, false));
  });

  it('a request fails without a retry if the face verifier redirects, and the redirect is not followed', async () => {
    const requestedPaths: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      requestedPaths.push(request.url);
      if (request.url === '/other') respondWith(findings)(request, response);
      else request.resume().once('end', () => response.writeHead(307, { location: '/other' }).end());
    });
    expect(detailsOf(await failureOf(url))).toEqual(expectedFailure('redirect', false));
    expect(requestedPaths).toEqual(['/faces']);
  });

  it('a request fails without a retry if the face verifier sends too many bytes, and then its connection is closed', async () => {
    let connectionClosed: Promise<unknown> | undefined;
    const url = await serve((request, response) => {
      connectionClosed = new Promise((resolve) => void request.socket.once('close', resolve));
      const sendEndlessly = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      };
      response.on('drain', sendEndlessly);
      sendEndlessly();
    });
    expect(detailsOf(await failureOf(url))).toEqual(expectedFailure('size', false));
    await connectionClosed;
  });
});

describe('an outage of a face verifier', () => {
  it.each(outages)('a request is retried if the face verifier %s (%s)', async (_, reason, listener) => {
    expect(detailsOf(await failureOf(await serve(listener)))).toEqual(expectedFailure(reason, true));
  });

  it('a request is retried if the face verifier is unreachable', async () => {
    const url = await serve(respondWith(''));
    server?.close();
    await once(server as http.Server, 'close');
    server = undefined;
    expect(detailsOf(await failureOf(url))).toEqual(expectedFailure('unreachable', true));
  });

  it('a request is retried if the face verifier does not respond in time', async () => {
    const url = await serve(() => undefined);
    expect(detailsOf(await failureOf(url, { timeoutMs: 50 }))).toEqual(expectedFailure('timeout', true));
  });

  it('a request is retried if the face verifier does not read the images in time', async () => {
    const url = await serve((request) => void request.pause());
    const images = { selfie: Buffer.alloc(20_000_000), documentFront };
    expect(detailsOf(await failureOf(url, { timeoutMs: 300, images }))).toEqual(expectedFailure('timeout', true));
  });

  it('a request is retried if the face verifier never ends its response', async () => {
    const url = await serve((request, response) => {
      const writeTimer = setInterval(() => response.write(' '), 10);
      request.socket.once('close', () => clearInterval(writeTimer));
    });
    expect(detailsOf(await failureOf(url, { timeoutMs: 300 }))).toEqual(expectedFailure('timeout', true));
  });
});
