import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type BureauFailureReason, createHttpBureau } from '../../../activities/scoring/http-bureau';
import type { BureauPerson } from '../../../scoring/gather-evidence';
import type { TransactionInput } from '../../../domain/transactions/input';
import { readWorkerConfig } from '../../../platform/config';
import { runInActivity } from '../../support/new-activity';

const person: BureauPerson = { documentType: 'CPF', document: '52998224725', name: 'Maria Silva' };
const finding = {
  code: 'XA001',
  text: { 'pt-BR': 'Consta em lista.', en: 'Is on a list.', es: 'Figura en una lista.' },
  relevance: 'Negativo',
  relatedTo: ['Document'],
};
const respondWith =
  (body: unknown, status = 200): http.RequestListener =>
  (_, response) =>
    void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));

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
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/persons`;
}

/** Long enough for every expected response, even on a busy machine. */
const longTimeoutMs = 20_000;

async function callBureau(url: string, { timeoutMs = longTimeoutMs, token = '', input = person } = {}) {
  const errors: BureauFailureReason[] = [];
  const onFailure = (error: BureauFailureReason) => void errors.push(error);
  const bureau = createHttpBureau({ url, timeoutMs, onFailure, ...(token ? { token } : {}) });
  return { findings: await runInActivity(() => bureau.fetchFindings(input)), errors };
}

describe('a bureau', () => {
  it('a bureau gets a POST with its token, and its findings are returned', async () => {
    const requests: unknown[] = [];
    const url = await serve((request, response) => {
      requests.push([request.method, request.url, request.headers.authorization, request.headers['content-type']]);
      respondWith({ findings: [finding], elapsedMs: 3 })(request, response);
    });
    expect(await callBureau(url, { token: 'of-the-house' })).toEqual({ findings: [finding], errors: [] });
    expect(await callBureau(url)).toEqual({ findings: [finding], errors: [] });
    expect(requests).toEqual([
      ['POST', '/persons', 'Bearer of-the-house', 'application/json'],
      ['POST', '/persons', undefined, 'application/json'],
    ]);
  });

  it('a bureau may return no findings', async () => {
    expect(await callBureau(await serve(respondWith({ findings: [] })))).toEqual({ findings: [], errors: [] });
  });

  it('a bureau may return one text for all languages, and unknown fields are ignored', async () => {
    const url = await serve(respondWith({ findings: [{ ...finding, text: 'Consta.', internal: 'x' }] }));
    const text = { 'pt-BR': 'Consta.', en: 'Consta.', es: 'Consta.' };
    expect((await callBureau(url)).findings).toEqual([{ ...finding, text }]);
  });

  it('a bureau receives only the data of the person, and no other fields of the transaction', async () => {
    let receivedBody = '';
    const url = await serve((request, response) => {
      request.setEncoding('utf8').on('data', (chunk: string) => {
        receivedBody += chunk;
      });
      request.once('end', () => respondWith({ findings: [] })(request, response));
    });
    const sentPerson: BureauPerson = {
      ...person,
      birthdate: '1990-01-02',
      mothersName: 'Ana Silva',
      email: 'maria@example.com',
      phone: { countryCode: 55, areaCode: 11, number: 987_654_321 },
      address: { zipCode: '01310100' },
    };
    const privateFields: Omit<Required<TransactionInput>, keyof BureauPerson> = {
      verifiedEmail: true,
      sessionId: 'session-1',
      identifierId: 'identifier-1',
      endUserIp: '203.0.113.7',
      channelId: 'channel-1',
      identifierDate: '2026-11-21T00:00:00.000Z',
      type: 1,
      genericFields: { note: 'private' },
      criterion: 1,
      card: { bin: '411111', last4: '1111' },
      secondaryDocumentType: 'RG',
      secondaryDocument: '123',
    };
    await callBureau(url, { input: { ...sentPerson, ...privateFields } });
    expect(JSON.parse(receivedBody)).toEqual({ person: sentPerson });
  });
});

describe('a failure of a bureau', () => {
  const withFinding = (change: object) => respondWith({ findings: [{ ...finding, ...change }] });
  const respondWithMany = (count: number) => respondWith({ findings: Array.from({ length: count }, () => finding) });
  const invalidUtf8: http.RequestListener = (_, response) =>
    void response.end(Buffer.from(JSON.stringify({ findings: [{ ...finding, text: 'é' }] }), 'latin1'));

  it.each<[string, BureauFailureReason, http.RequestListener]>([
    ['returns 500', 'status', respondWith({ findings: [finding] }, 500)],
    ['refuses the token', 'status', respondWith('', 401)],
    ['has no content', 'status', (_, response) => void response.writeHead(204).end()],
    ['answers with nothing', 'invalid', respondWith('')],
    ['answers with an HTML page', 'invalid', respondWith('<h1>Welcome</h1>')],
    ['answers with other fields', 'invalid', respondWith({ results: [] })],
    ['answers with a list', 'invalid', respondWith([finding])],
    ['returns a code of this service', 'invalid', withFinding({ code: 'DC001' })],
    ['returns a code that is too long', 'invalid', withFinding({ code: 'XA0011' })],
    ['returns no text', 'invalid', withFinding({ text: '' })],
    ['writes a control character', 'invalid', withFinding({ text: 'a\u0000b' })],
    ['writes half a character', 'invalid', withFinding({ text: 'a\ud800b' })],
    ['reverses the text direction', 'invalid', withFinding({ text: 'a\u202eb' })],
    ['names one kind of data twice', 'invalid', withFinding({ relatedTo: ['Document', 'Document'] })],
    ['leaves a language out', 'invalid', withFinding({ text: { 'pt-BR': 'a', en: 'b' } })],
    ['gives an unknown relevance', 'invalid', withFinding({ relevance: 'Bad' })],
    ['names an unknown kind of data', 'invalid', withFinding({ relatedTo: ['Salary'] })],
    ['names no kind of data', 'invalid', withFinding({ relatedTo: [] })],
    ['returns 51 findings', 'invalid', respondWithMany(51)],
    ['writes text that is not UTF-8', 'invalid', invalidUtf8],
    ['writes more than 64 KiB', 'size', respondWith({ findings: [], padding: 'x'.repeat(65_536) })],
    ['closes the connection', 'unreachable', (request) => void request.socket.destroy()],
    [
      'closes the connection in the middle of its answer',
      'unreachable',
      (_, response) => void response.writeHead(200, { 'content-length': 900 }).write('{', () => response.destroy()),
    ],
  ])('there are no findings if the bureau %s (reason: %s)', async (_, error, listener) => {
    expect(await callBureau(await serve(listener))).toEqual({ findings: undefined, errors: [error] });
  });

  it('there are no findings if the bureau is unreachable', async () => {
    const url = await serve(respondWith(''));
    server?.close();
    await once(server as http.Server, 'close');
    server = undefined;
    expect(await callBureau(url)).toEqual({ findings: undefined, errors: ['unreachable'] });
  });

  it('there are no findings if the bureau does not respond in time', async () => {
    const url = await serve(() => undefined);
    expect(await callBureau(url, { timeoutMs: 50 })).toEqual({ findings: undefined, errors: ['timeout'] });
  });

  it('there are no findings if the bureau never ends its response', async () => {
    const url = await serve((request, response) => {
      const writeTimer = setInterval(() => response.write(' '), 10);
      request.socket.once('close', () => clearInterval(writeTimer));
    });
    expect(await callBureau(url, { timeoutMs: 300 })).toEqual({ findings: undefined, errors: ['timeout'] });
  });

  it('there are no findings if the bureau redirects, and the redirect is not followed', async () => {
    const requestedPaths: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      requestedPaths.push(request.url);
      if (request.url === '/other') respondWith({ findings: [finding] })(request, response);
      else response.writeHead(307, { location: '/other' }).end();
    });
    expect(await callBureau(url)).toEqual({ findings: undefined, errors: ['status'] });
    expect(requestedPaths).toEqual(['/persons']);
  });

  it('there are no findings if the bureau sends too many bytes, and then its connection is closed', async () => {
    let connectionClosed: Promise<unknown> | undefined;
    const url = await serve((request, response) => {
      connectionClosed = new Promise((resolve) => void request.socket.once('close', resolve));
      const sendEndlessly = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      };
      response.on('drain', sendEndlessly);
      sendEndlessly();
    });
    expect(await callBureau(url)).toEqual({ findings: undefined, errors: ['size'] });
    await connectionClosed;
  });
});

it('a response of 64 KiB with 50 findings is accepted', async () => {
  const findings = Array.from({ length: 50 }, () => finding);
  const body = JSON.stringify({ findings });
  const url = await serve(respondWith(body + ' '.repeat(65_536 - Buffer.byteLength(body))));
  expect(await callBureau(url)).toEqual({ findings, errors: [] });
});

describe('the settings of the lookups', () => {
  const completeSettings = {
    DATABASE_URL: 'postgres://x',
    SERVICE_KEY: Buffer.alloc(32).toString('base64'),
    TWILIO_ACCOUNT_SID: 'AC0',
    TWILIO_AUTH_TOKEN: 'x',
    TWILIO_SMS_FROM: '+15005550006',
    TWILIO_WHATSAPP_FROM: '+15005550006',
    SMTP_URL: 'smtp://x',
  };

  it('lookups use DNS and no bureau by default', () => {
    const { BUREAU_URL, BUREAU_TIMEOUT_MS, MX_TIMEOUT_MS, SCORING_POLICIES } = readWorkerConfig(completeSettings);
    expect([BUREAU_URL, BUREAU_TIMEOUT_MS, MX_TIMEOUT_MS, SCORING_POLICIES]).toEqual([
      undefined,
      1_000,
      1_000,
      undefined,
    ]);
    expect(
      readWorkerConfig({ ...completeSettings, MX_TIMEOUT_MS: '0', BUREAU_URL: 'https://bureau.example/v1?a=b' }),
    ).toMatchObject({
      MX_TIMEOUT_MS: 0,
      BUREAU_URL: 'https://bureau.example/v1?a=b',
    });
  });

  it.each([
    ['BUREAU_URL', 'ftp://bureau.example'],
    ['BUREAU_URL', 'bureau.example'],
    ['BUREAU_URL', 'https://me:secret@bureau.example'],
    ['BUREAU_TOKEN', 'two words'],
    ['BUREAU_TIMEOUT_MS', '0'],
    ['BUREAU_TIMEOUT_MS', '2001'],
    ['MX_TIMEOUT_MS', '-1'],
    ['MX_TIMEOUT_MS', '2001'],
  ])('the setting %s=%s is rejected', (name, value) => {
    expect(() => readWorkerConfig({ ...completeSettings, [name]: value })).toThrow(
      new RegExp(`\n  ${name}: (?!.*secret)`),
    );
  });
});
