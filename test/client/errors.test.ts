import { CountersignError, isProblem, type ErrorCode } from '../../client/index';
import { problems } from '../../api/http/problems';
import { type Answer, problem, type ScriptedService, startScriptedService } from './scripted-service';

let service: ScriptedService;
afterEach(() => service.stop());

const thrownBy = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).then(
    () => undefined,
    (error: unknown) => error,
  );

test('an answer with a problem throws an error with the fields of the problem, and isProblem narrows the type of its code', async () => {
  service = await startScriptedService(() => ({
    ...problem(409, 'flow_running', { 'retry-after': '7' }),
    ...{
      body: { title: 'T', detail: 'D', code: 'flow_running', traceId: 't-9', runId: 'r-1', errors: { name: ['no'] } },
    },
  }));
  const error = await thrownBy(service.client().flowRuns.start('id', 'sign-up'));
  expect(error).toBeInstanceOf(CountersignError);
  expect(error).toMatchObject({
    message: 'T. D (409 flow_running)',
    status: 409,
    title: 'T',
    detail: 'D',
    traceId: 't-9',
    errors: { name: ['no'] },
    issues: undefined,
    retryAfterSeconds: 7,
  });
  expect([isProblem(error), isProblem(error, 'erased'), isProblem(new Error('x'))]).toEqual([true, false, false]);
  if (!isProblem(error, 'flow_running', 'channel_busy')) throw error;
  const code: 'flow_running' | 'channel_busy' = error.code;
  expect([code, error.problem?.runId]).toEqual(['flow_running', 'r-1']);
  // @ts-expect-error: this code does not exist
  expect(isProblem(error, 'flow_runing')).toBe(false);
});

test('the client has a code for every problem of the API', () => {
  const codes: Record<keyof typeof problems, ErrorCode> = Object.fromEntries(
    Object.keys(problems).map((code) => [code, code]),
  ) as { [Code in keyof typeof problems]: Code };
  expect(Object.keys(codes).length).toBeGreaterThan(60);
});

test('an id with a slash or dots cannot change the path of a request', async () => {
  service = await startScriptedService(() => ({ body: {} }));
  const { transactions } = service.client();
  for (const id of ['', '.', '..']) expect(String(await thrownBy(transactions.erase(id)))).toContain('id must not be');
  expect(service.received).toEqual([]);
  await transactions.retrieve('../blocks?a=b');
  expect(service.received.map(({ path }) => path)).toEqual(['/v1/transactions/..%2Fblocks%3Fa%3Db']);
});

test('an answer that does not come from the API throws the error unexpected_response', async () => {
  service = await startScriptedService(() => ({ status: 404, headers: { 'x-request-id': 'p-1' }, body: 'Not here' }));
  const error = await thrownBy(service.client().transactions.retrieve('id'));
  expect(error).toMatchObject({ code: 'unexpected_response', status: 404, traceId: 'p-1', problem: undefined });
});

test('withResponse returns the headers, and an error that it throws causes no unhandled rejection', async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', onUnhandled);
  service = await startScriptedService((_, count) =>
    count === 1
      ? { headers: { 'x-attempts-remaining': '4' }, body: { status: 'Invalid' } }
      : problem(404, 'token_not_found'),
  );
  const { confirmations } = service.client();
  const { data, response } = await confirmations.validateSmsToken('id', '1').withResponse();
  expect([data.status, response.headers.get('x-attempts-remaining')]).toEqual(['Invalid', '4']);
  const error = await thrownBy(confirmations.validateSmsToken('id', '1').withResponse());
  expect(isProblem(error, 'token_not_found')).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 50));
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
});

test.each<[string, Answer]>([
  ['200 with a page', { headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<html>' }],
  ['200 with a page that claims to be JSON', { text: '<html>' }],
  ['200 with a text', { headers: { 'content-type': 'text/plain' }, body: 'ok' }],
  ['200 with a JSON text', { body: 'ok' }],
  ['200 with a JSON list', { body: [] }],
  ['200 with an image', { headers: { 'content-type': 'image/svg+xml' }, text: '<svg/>' }],
  ['200 with nothing', {}],
  ['204', { status: 204 }],
])('an answer of %s does not come from the API, if the operation never answers so', async (_, answer) => {
  service = await startScriptedService(() => answer);
  const client = service.client();
  const status = ('status' in answer ? answer.status : undefined) ?? 200;
  const calls = [
    client.transactions.retrieve('id'),
    client.webhooks.list(),
    client.events.list('id'),
    client.events.stream('id').next(),
  ];
  for (const error of await Promise.all(calls.map(thrownBy)))
    expect(error).toMatchObject({ name: 'CountersignError', code: 'unexpected_response', status });
  expect(service.received).toHaveLength(calls.length);
});

test('an answer without a body is the result of an operation that answers so', async () => {
  service = await startScriptedService(() => ({ status: 204 }));
  const client = service.client();
  const results = [client.webhooks.delete('id'), client.confirmations.listWhatsappSecondFactors('id')];
  expect(await Promise.all(results)).toEqual([undefined, undefined]);
});
