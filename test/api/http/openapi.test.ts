import Ajv2020 from 'ajv/dist/2020';
import { flows } from '../../../flows';
import { confirmations } from '../../../flows/confirmations';
import { smsTokenFlow } from '../../../flows/sms-token.flow';
import { fetchContract } from '../../acceptance/support/openapi-contract';
import { ApiWorld, type RequestOptions, person } from '../api-world';

interface MediaType {
  schema: object;
  examples?: { example: { value: unknown } };
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  security: object[];
  parameters?: { $ref?: string; name: string; in: string; required: boolean }[];
  requestBody?: { required: boolean; content: Record<string, MediaType> };
  responses: Record<
    string,
    {
      content?: Record<string, unknown>;
      headers?: Record<string, unknown>;
      links?: Record<string, { operationId: string; parameters: Record<string, string> }>;
    }
  >;
}

let world: ApiWorld;
let document: { paths: typeof paths; components: { parameters: Record<string, { name: string }> } };
let paths: Record<string, Record<string, Operation>>;
beforeAll(async () => {
  world = await ApiWorld.open();
  const { body } = await world.request('/openapi.json', { token: null });
  document = body as typeof document;
  ({ paths } = document);
});
afterAll(() => world.close());

/** Operations of SPEC. */
const specifiedOperations: [string, string][] = [
  ['post', '/v1/transaction'],
  ['get', '/v1/transaction/{id}'],
  ['get', '/v1/transaction/{id}/all'],
  ['post', '/v1/transaction/{id}/sms/tokens'],
  ['post', '/v1/transaction/{id}/sms/tokens/validate'],
  ['get', '/v1/transaction/{id}/sms/2fa'],
  ['post', '/v1/transaction/{id}/emails/tokens'],
  ['get', '/v1/transaction/{id}/emails/tokens'],
  ['post', '/v1/transaction/{id}/emails/2fa'],
  ['get', '/v1/transaction/{id}/emails/2fa'],
  ['get', '/v1/transaction/{id}/whatsapps/2fa'],
];

test.each(specifiedOperations)('%s %s is documented with its errors', (method, path) => {
  const operation = paths[path]?.[method];
  expect(operation?.security).toHaveLength(1);
  expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(['401', '403', '429', '500', '503']));
});

test('POST /v1/transaction documents both parameters for a flow, their scope and the response headers', () => {
  const operation = paths['/v1/transaction']?.['post'];
  expect(operation?.parameters).toMatchObject([
    { name: 'flow', in: 'query', required: false },
    { name: 'X-Countersign-Flow', in: 'header', required: false },
    { $ref: '#/components/parameters/IdempotencyKey' },
  ]);
  expect(operation?.description).toContain('`confirmation:send`');
  const headerNames = Object.keys(operation?.responses['201']?.headers ?? {});
  expect(headerNames).toEqual(expect.arrayContaining(['Location', 'Idempotency-Replayed', 'X-Countersign-Run']));
});

test('the document names the scope that the API requires to create a transaction with a flow', async () => {
  const token = await world.issueToken('local', ['transaction:write']);
  const { status, headers } = await world.post('/v1/transaction?flow=sms-token', { body: person, token });
  expect(status).toBe(403);
  const [, scope] = /scope="([\w:]+)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
  expect(paths['/v1/transaction']?.['post']?.description).toContain(`\`${scope}\``);
});

test('query parameters are documented as parameters, and not in a summary', () => {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  expect(operations.filter(({ summary }) => /\bquery\b/.test(summary))).toEqual([]);
  const queryParametersOf = (path: string) =>
    paths[path]?.['get']?.parameters?.filter(({ in: location }) => location === 'query');
  expect(queryParametersOf('/v1/flows')?.map(({ name }) => name)).toEqual(['limit', 'after', 'deleted']);
  expect(queryParametersOf('/v1/reviews')?.map(({ name }) => name)).toEqual(['limit', 'after']);
});

test.each(['sms/tokens/validate', 'emails/tokens/validate', 'flows/runs/{runId}/answer'])(
  '%s documents how many attempts remain',
  (endpoint) => {
    const { responses } = paths[`/v1/transaction/{id}/${endpoint}`]?.['post'] ?? {};
    expect(Object.keys(responses?.['200']?.headers ?? {})).toContain('X-Attempts-Remaining');
  },
);

test('the schema of a flow accepts valid flows and rejects invalid ones', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'openapi');
  const validate = ajv.compile({
    $ref: 'openapi#/paths/~1v1~1flows~1%7Bname%7D/put/requestBody/content/application~1json/schema',
  });
  for (const { version: _, ...flow } of flows) {
    const { name: __, ...withoutName } = flow;
    expect([flow.name, validate(flow), validate(withoutName)]).toEqual([flow.name, true, true]);
  }
  expect(validate({ ...smsTokenFlow })).toBe(false);
  expect(validate({ start: 'a', steps: { a: { kind: 'walk' } } })).toBe(false);
  expect(validate({})).toBe(false);
});

test('real responses have no undocumented header', async () => {
  const contract = await fetchContract(world.address);
  const check = async (method: string, path: string, options: RequestOptions = {}) => {
    const response = await world.request(path, { method, ...options });
    contract.check(method, path.replace(/\?.*/, ''), { ...response, text: JSON.stringify(response.body) });
    return response;
  };
  world.dependencies.flowStore = { ...world.dependencies.flowStore, findActive: async () => smsTokenFlow };
  const created = await check('POST', '/v1/transaction?flow=sms-token', { body: person });
  const path = created.headers.get('location') ?? '';
  const runPath = `${path}/flows/runs/${created.headers.get('x-countersign-run')}`;
  const response = await check('POST', `${runPath}/answer`, { body: { value: '000000' } });
  expect(response.headers.get('x-attempts-remaining')).toMatch(/^\d$/);
  await check('POST', `${path}/sms/tokens/validate`, { body: { value: '000001' } });
  await check('POST', `${path}/flows/email-token`);
  for (const endpoint of ['', '/all', '/scores', '/scores/explanation', '/sms/2fa', '/emails/2fa', '/whatsapps/2fa'])
    expect((await check('GET', `${path}${endpoint}`)).status).toBeLessThan(300);
  for (const readPath of [`${path}/flows`, runPath, '/openapi.json', '/health/ready', '/v1/reviews?limit=0'])
    await check('GET', readPath);
  expect((await check('POST', '/v1/transaction', { body: {}, token: null })).status).toBe(401);
  expect((await check('POST', '/oauth2/token')).status).toBe(415);
  const headers = new Headers({ 'x-countersign-more': '1' });
  expect(() => contract.check('GET', '/health/live', { status: 200, headers, body: {}, text: '' })).toThrow(
    'the header x-countersign-more is not documented',
  );
});

const operations = () =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
  );

test('every operation that changes something documents the status 400, because an Idempotency-Key can be invalid', async () => {
  const changes = operations().filter(({ method, security }) => method !== 'get' && security.length > 0);
  expect(changes.map(({ operationId, responses }) => [operationId, '400' in responses])).toEqual(
    changes.map(({ operationId }) => [operationId, true]),
  );
  const response = await world.request('/v1/blocks/none', { method: 'DELETE', headers: { 'idempotency-key': 'a b' } });
  expect(response.body).toMatchObject({ status: 400, code: 'idempotency_key_invalid' });
});

test('an operation that ignores an Idempotency-Key does not document this header', () => {
  const reference = '#/components/parameters/IdempotencyKey';
  const changes = operations().filter(({ method, security }) => method !== 'get' && security.length > 0);
  const ignoring = changes.filter(({ parameters = [] }) => !parameters.some(({ $ref }) => $ref === reference));
  expect(ignoring.map(({ operationId }) => operationId).toSorted()).toEqual([
    // A check saves nothing.
    'checkFlow',
    ...['createWebhook', 'deleteMessaging', 'deleteWebhook', 'putMessaging', 'redeliverEvent', 'releaseOptOut'],
    ...['removeBlock', 'removeListEntry', 'rotateWebhookSecret', 'testWebhook'],
  ]);
});

test('a body is documented as optional for exactly the operations that need no body', async () => {
  const optional = operations().filter(({ requestBody }) => requestBody?.required === false);
  expect(optional.map(({ operationId }) => operationId)).toEqual([
    'createBiometricsLink',
    'rotateWebhookSecret',
    'createSmsTokenLink',
    'createEmailTokenLink',
    'createWhatsappTokenLink',
    'createVoiceTokenLink',
    'decodePayloads',
  ]);
  const { path } = await world.createTransaction();
  expect((await world.post(`${path}/biometrics`)).status).toBe(201);
});

const invalidBodies: [operation: string, fields: object][] = [
  ['createBiometricsLink', { channels: ['sms', 'sms'] }],
  ['decideReview', { reason: 'no' }],
  ['createToken', { more: ['a', 'b'] }],
  ['createToken', Object.fromEntries(Array.from({ length: 21 }, (_, key) => [key, '']))],
  ['createTransaction', { document: '..' }],
  ['createTransaction', { document: '1'.repeat(31) }],
  ['createTransaction', { genericFields: Object.fromEntries(Array.from({ length: 51 }, (_, key) => [key, ''])) }],
];

test.each(invalidBodies)('the schema of %s refuses %j, as the API does', (operationId, fields) => {
  const { requestBody } = operations().find((operation) => operation.operationId === operationId) ?? {};
  const { schema = {}, examples } = Object.values(requestBody?.content ?? {})[0] ?? {};
  const example = examples?.example.value as object;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const validate = ajv.compile({ ...schema, components: document.components });
  expect([validate(example), validate({ ...example, ...fields })]).toEqual([true, false]);
});

test('every OpenAPI link (from a response to a next operation) names an operation and gives its path parameters', () => {
  const byId = new Map(operations().map((operation) => [operation.operationId, operation]));
  const links = operations().flatMap(({ responses }) =>
    Object.values(responses).flatMap((response) => Object.values(response.links ?? {})),
  );
  expect(links.length).toBeGreaterThan(50);
  for (const { operationId, parameters } of links) {
    const needed = byId.get(operationId)?.parameters?.filter(({ in: location }) => location === 'path');
    expect([operationId, Object.keys(parameters)]).toEqual([operationId, needed?.map(({ name }) => name)]);
  }
});

test('no schema has prefixItems (a schema for each place in a list), which many programs cannot read', () => {
  expect(JSON.stringify(document)).not.toContain('prefixItems');
});

test('every built-in confirmation has a path, and every token has a path to validate it', () => {
  for (const { path, kind } of confirmations) {
    expect(paths[`/v1/transaction/{id}/${path}`]).toHaveProperty('post');
    if (kind === 'token') expect(paths[`/v1/transaction/{id}/${path}/validate`]).toHaveProperty('post');
  }
});

test('no two paths differ only in the names of their parameters', () => {
  const templates = Object.keys(paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
  expect(templates.filter((template, index) => templates.indexOf(template) !== index)).toEqual([]);
});

test('the schemas of bodies allow no unknown fields, and do not have the limits and patterns that zod adds by itself', () => {
  const text = JSON.stringify(document);
  expect(text).toContain('"additionalProperties":false');
  expect(text).not.toContain('9007199254740991');
  // The beginning of zod's pattern for a date.
  expect(text.includes(String.raw`(?:(?:\\d\\d`)).toBe(false);
});

/** With this header, a browser asks whether its copy is current. Without it, `fetch` adds `no-cache`, which requests the whole text. */
const revalidate = { 'cache-control': 'max-age=0' };

test.each(['/openapi.json', '/docs'])(
  '%s has a strong ETag, and returns 304 to a browser that sends this ETag',
  async (path) => {
    const first = await world.request(path, { token: null });
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{20,}"$/);
    expect(first.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
    const second = await world.request(path, { token: null, headers: { ...revalidate, 'if-none-match': etag } });
    expect(second).toMatchObject({ status: 304, body: '' });
    const other = await world.request(path, { token: null, headers: { 'if-none-match': '"other"' } });
    expect(other.status).toBe(200);
  },
);

test('/health/live and /health/ready return 200, and if the API is not ready, /health/ready returns 503', async () => {
  expect(await world.request('/health/live', { token: null })).toMatchObject({ status: 200 });
  expect(await world.request('/health/ready', { token: null })).toMatchObject({ status: 200 });
  world.dependencies.isReady = async () => false;
  const notReady = await world.request('/health/ready', { token: null });
  expect(notReady.status).toBe(503);
  expect(notReady.headers.get('retry-after')).toBe('1');
});
