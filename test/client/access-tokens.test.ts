import packageFile from '../../client/package.json';
import { Countersign, CountersignError, CountersignTimeoutError, isProblem } from '../../client/index';
import { problem, type ScriptedService, startScriptedService } from './scripted-service';

let service: ScriptedService;
afterEach(() => service.stop());

const tokensOf = ({ received }: ScriptedService) => received.map(({ headers }) => headers.authorization);

test('calls at the same time share one request for a token, and this request has the encoded credentials', async () => {
  service = await startScriptedService(() => ({ body: { webhooks: [] } }));
  const client = service.client({ scope: 'webhooks:manage' });
  await Promise.all(Array.from({ length: 20 }, () => client.webhooks.list()));
  expect(service.tokenRequests).toHaveLength(1);
  expect(new Set(tokensOf(service))).toEqual(new Set(['Bearer token-1']));
  const [{ headers, body }] = service.tokenRequests as [ScriptedService['received'][number]];
  expect(body).toBe('grant_type=client_credentials&scope=webhooks%3Amanage');
  const [, encoded = ''] = headers.authorization?.split(' ') ?? [];
  expect(Buffer.from(encoded, 'base64').toString()).toBe('acme:a%3Ab%20c');
});

test('a token is renewed shortly before it expires', async () => {
  service = await startScriptedService(() => ({ body: { webhooks: [] } }));
  const client = service.client();
  const now = Date.now();
  const clock = jest.spyOn(Date, 'now');
  for (const seconds of [0, 3_539, 3_541]) {
    clock.mockReturnValue(now + seconds * 1_000);
    await client.webhooks.list();
  }
  clock.mockRestore();
  expect(tokensOf(service)).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
});

test('if many calls use a token that is refused, only one new token is requested', async () => {
  service = await startScriptedService(({ headers }) =>
    headers.authorization === 'Bearer token-1' ? problem(401, 'unauthorized') : { body: { webhooks: [] } },
  );
  const client = service.client();
  await Promise.all(Array.from({ length: 10 }, () => client.webhooks.list()));
  expect(service.tokenRequests).toHaveLength(2);
  expect(service.received).toHaveLength(20);
});

test('if a token and the new token after it are refused, the error is thrown', async () => {
  service = await startScriptedService(() => problem(401, 'unauthorized'));
  await expect(service.client().webhooks.list()).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
  expect([service.tokenRequests.length, service.received.length]).toEqual([2, 2]);
});

test.each([
  ['nothing', {}],
  ['a page', { headers: { 'content-type': 'text/html' }, body: '<html>' }],
  ['no token', { body: { token_type: 'Bearer', expires_in: 60 } }],
  ['a page as token', { body: { access_token: '<html>', expires_in: 60 } }],
  ['no lifetime', { body: { access_token: 'token' } }],
  ['a lifetime that is no number', { body: { access_token: 'token', expires_in: 'soon' } }],
  ['a negative lifetime', { body: { access_token: 'token', expires_in: -1 } }],
])(
  'if the token endpoint answers 200 with %s, the error is unexpected_response, and nothing is sent',
  async (_, answer) => {
    service = await startScriptedService(() => ({ body: { webhooks: [] } }));
    service.answerTokensWith(() => answer);
    await expect(service.client().webhooks.list()).rejects.toMatchObject({
      name: 'CountersignError',
      code: 'unexpected_response',
      status: 200,
    });
    expect(service.received).toEqual([]);
  },
);

test.each([[undefined], [''], ['Bearer token'], ['a b'], ['a\nb'], ['töken'], [42], [{ token: 'a' }]])(
  'if accessToken() returns %j, the call throws a TypeError, and nothing is sent',
  async (token) => {
    service = await startScriptedService(() => ({ body: { webhooks: [] } }));
    const client = new Countersign({ baseUrl: service.url, accessToken: () => token as string });
    await expect(client.webhooks.list()).rejects.toThrow(TypeError);
    await expect(client.webhooks.list()).rejects.toThrow(/accessToken\(\) must return an access token/);
    expect(service.received).toEqual([]);
  },
);

test('every request has the version of the package in its User-Agent', async () => {
  service = await startScriptedService(() => ({ body: { webhooks: [] } }));
  await service.client().webhooks.list();
  const expected = `countersign-client/${packageFile.version} node/${process.versions.node}`;
  const requests = [...service.tokenRequests, ...service.received];
  expect(requests.map(({ headers }) => headers['user-agent'])).toEqual([expected, expected]);
});

test('an error of the token endpoint is thrown to all waiting calls, and the next call tries again', async () => {
  service = await startScriptedService(() => ({ body: { webhooks: [] } }));
  const client = service.client();
  service.answerTokensWith(() => ({
    status: 401,
    body: { error: 'invalid_client', error_description: 'The secret is wrong.' },
  }));
  const results = await Promise.allSettled([client.webhooks.list(), client.webhooks.list()]);
  for (const result of results) {
    const error: unknown = result.status === 'rejected' ? result.reason : undefined;
    expect(error).toBeInstanceOf(CountersignError);
    expect(isProblem(error, 'invalid_client') && error.detail).toBe('The secret is wrong.');
  }
  expect([service.tokenRequests.length, service.received.length]).toEqual([1, 0]);
  service.answerTokensWith(() => ({ body: { access_token: 'good', token_type: 'Bearer', expires_in: 60, scope: '' } }));
  await client.webhooks.list();
  expect(tokensOf(service)).toEqual(['Bearer good']);
});

test('a call that is aborted does not end the request for a token that other calls wait for', async () => {
  service = await startScriptedService(() => ({ body: { webhooks: [] } }));
  const client = service.client();
  const controller = new AbortController();
  const [aborted, other] = [client.webhooks.list({ signal: controller.signal }), client.webhooks.list()];
  controller.abort(new Error('no longer needed'));
  await expect(aborted).rejects.toThrow('no longer needed');
  expect(await other).toEqual({ webhooks: [] });
});

test('a call that was aborted before it began asks for no token', async () => {
  service = await startScriptedService(() => ({ body: { webhooks: [] } }));
  const signal = AbortSignal.abort(new Error('too late'));
  await expect(service.client().webhooks.list({ signal })).rejects.toThrow('too late');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(service.tokenRequests).toHaveLength(0);
});

test('a call does not wait for a token longer than its deadline', async () => {
  service = await startScriptedService(() => ({ body: { webhooks: [] } }));
  service.answerTokensWith(() => ({ hang: true }));
  const startedMs = performance.now();
  const call = service.client({ maxAttempts: 1 }).webhooks.list({ timeoutMs: 200 });
  await expect(call).rejects.toBeInstanceOf(CountersignTimeoutError);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
});

test('if accessToken returns a refused token again, the error is thrown at once', async () => {
  service = await startScriptedService(() => problem(401, 'unauthorized'));
  const client = service.client({ accessToken: () => 'always-the-same' });
  await expect(client.webhooks.list()).rejects.toMatchObject({ code: 'unauthorized' });
  expect(service.received).toHaveLength(1);
});

test('the client uses tokens of an outside issuer, and gets a new token after a refusal', async () => {
  service = await startScriptedService(({ headers }) =>
    headers.authorization === 'Bearer outside-1' ? problem(401, 'unauthorized') : { body: { webhooks: [] } },
  );
  let count = 0;
  const client = service.client({ accessToken: () => `outside-${(count += 1)}` });
  await client.webhooks.list();
  expect(tokensOf(service)).toEqual(['Bearer outside-1', 'Bearer outside-2']);
  expect(service.tokenRequests).toHaveLength(0);
});
