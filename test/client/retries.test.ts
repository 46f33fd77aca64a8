import { CountersignConnectionError, CountersignTimeoutError } from '../../client/index';
import { type Answer, problem, type ScriptedService, startScriptedService } from './scripted-service';

let service: ScriptedService;
afterEach(() => service.stop());

const id = '8a6e0804-2bd0-4672-b79d-d97027f9071a';
const keysOf = ({ received }: ScriptedService) => received.map(({ headers }) => headers['idempotency-key']);

/** A service that gives these answers in order, and then a success. */
const failing = (...answers: Answer[]) =>
  startScriptedService((_, count) => answers[count - 1] ?? { body: { status: 'Valid' } });

test.each<[string, Answer]>([
  ['no answer', { drop: true }],
  ['503', problem(503, 'service_unavailable')],
  ['500 internal_error', problem(500, 'internal_error')],
  ['502 of a proxy', { status: 502, headers: { 'content-type': 'text/html' }, body: 'Bad Gateway' }],
])(
  'after %s, the client repeats the check of a code with the same idempotency key, so that it counts as one attempt',
  async (_, answer) => {
    service = await failing(answer, answer);
    expect(await service.client().confirmations.validateSmsToken(id, '123456')).toEqual({ status: 'Valid' });
    const keys = keysOf(service);
    expect(keys).toHaveLength(3);
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
    expect(new Set(keys).size).toBe(1);
    expect(new Set(service.received.map(({ body }) => body))).toEqual(new Set(['{"value":"123456"}']));
  },
);

test('each call has its own idempotency key, and a caller can choose the key', async () => {
  service = await failing();
  const { confirmations } = service.client();
  await confirmations.validateSmsToken(id, '1');
  await confirmations.validateSmsToken(id, '1');
  await confirmations.validateSmsToken(id, '1', { idempotencyKey: 'mine' });
  const [first, second, third] = keysOf(service);
  expect(first).not.toBe(second);
  expect(third).toBe('mine');
});

test.each([
  ['400', problem(400, 'validation_failed')],
  ['429 with a code other than rate_limited', problem(429, 'resend_too_soon', { 'retry-after': '1' })],
  ['500 analysis_failed, which needs a new key', problem(500, 'analysis_failed')],
])('the error %s is thrown at once', async (_, answer) => {
  service = await failing(answer);
  await expect(service.client().confirmations.sendSmsToken(id)).rejects.toMatchObject({ name: 'CountersignError' });
  expect(service.received).toHaveLength(1);
});

test.each<[string, Answer]>([
  ['no answer', { drop: true }],
  ['503', problem(503, 'service_unavailable')],
])(
  'after %s, a change is not repeated if the service ignores the idempotency key for this change',
  async (_, answer) => {
    service = await startScriptedService(() => answer);
    const { webhooks, blocks } = service.client();
    const calls = [
      () => webhooks.create({ url: 'https://example.com' }),
      () => webhooks.rotateSecret('w'),
      () => webhooks.test('w'),
      () => webhooks.redeliver('w', 'd'),
      () => webhooks.delete('w'),
      () => blocks.remove('b'),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(/503|got no answer/);
    expect(service.received).toHaveLength(calls.length);
  },
);

test('after rate_limited, every request is repeated when Retry-After has passed, because the service has not executed it', async () => {
  service = await failing(problem(429, 'rate_limited', { 'retry-after': '1' }));
  await service.client().webhooks.create({ url: 'https://example.com' });
  const [first, second] = service.received.map(({ atMs }) => atMs) as [number, number];
  expect(second - first).toBeGreaterThan(999);
});

test('the pauses between attempts grow', async () => {
  service = await failing({ drop: true }, { drop: true });
  await service.client().events.poll(id, {});
  const times = service.received.map(({ atMs }) => atMs) as [number, number, number];
  const [first, second] = [times[1] - times[0], times[2] - times[1]];
  expect([first >= 245, second >= 495]).toEqual([true, true]);
});

test('maxAttempts limits the attempts of each call, and can be set for a client or for one call', async () => {
  service = await failing(...Array.from({ length: 9 }, () => problem(503, 'service_unavailable')));
  await expect(service.client({ maxAttempts: 2 }).webhooks.list()).rejects.toMatchObject({ status: 503 });
  expect(service.received).toHaveLength(2);
  await expect(service.client().webhooks.list({ maxAttempts: 1 })).rejects.toMatchObject({ status: 503 });
  expect(service.received).toHaveLength(3);
});

test('a call ends at its deadline', async () => {
  service = await failing({ hang: true });
  const startedMs = performance.now();
  const error = await service
    .client()
    .webhooks.list({ timeoutMs: 300 })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CountersignTimeoutError);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
});

test('an error whose Retry-After is later than the deadline is thrown at once', async () => {
  service = await failing(problem(429, 'rate_limited', { 'retry-after': '3600' }));
  const startedMs = performance.now();
  await expect(service.client().webhooks.list()).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 3600,
  });
  expect(performance.now() - startedMs).toBeLessThan(10_000);
});

test('an abort ends a waiting request or a pause between two attempts, and the call throws the reason of the abort', async () => {
  service = await failing({ hang: true }, problem(503, 'service_unavailable', { 'retry-after': '30' }));
  for (const expected of [1, 2]) {
    const controller = new AbortController();
    const call = service.client().webhooks.list({ signal: controller.signal });
    setTimeout(() => controller.abort(new Error('the user left')), 200);
    await expect(call).rejects.toThrow('the user left');
    expect(service.received).toHaveLength(expected);
  }
});

test('a call without an answer throws a CountersignConnectionError', async () => {
  service = await failing({ drop: true });
  const error = await service
    .client()
    .webhooks.list({ maxAttempts: 1 })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CountersignConnectionError);
  expect(String(error)).toContain('GET /v1/webhooks got no answer');
});

test('a redirect is not followed, because it would send the token elsewhere', async () => {
  service = await failing({ status: 307, headers: { location: '/elsewhere' } });
  await expect(service.client().webhooks.list({ maxAttempts: 1 })).rejects.toBeInstanceOf(CountersignConnectionError);
  expect(service.received).toHaveLength(1);
});
