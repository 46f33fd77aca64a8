import { confirmations } from '../../flows/confirmations';
import { problems } from '../../api/problems';
import { ApiWorld } from './api-world';

interface Operation {
  operationId: string;
  security: object[];
  responses: Record<string, { content?: Record<string, unknown> }>;
}

let world: ApiWorld;
let paths: Record<string, Record<string, Operation>>;
beforeAll(async () => {
  world = await ApiWorld.open();
  const { body } = await world.ask('/openapi.json', { token: null });
  ({ paths } = body as { paths: typeof paths });
});
afterAll(() => world.close());

const specified: [string, string][] = [
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

test.each(specified)('%s %s is documented with its errors', (method, path) => {
  const operation = paths[path]?.[method];
  expect(operation?.security).toHaveLength(1);
  expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(['401', '403', '429', '500', '503']));
});

test('every flow has its path, and every token its validate path', () => {
  for (const { path, kind } of confirmations) {
    expect(paths[`/v1/transaction/{id}/${path}`]).toHaveProperty('post');
    if (kind === 'token') expect(paths[`/v1/transaction/{id}/${path}/validate`]).toHaveProperty('post');
  }
});

test('operation ids are unique', () => {
  const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  expect(new Set(ids).size).toBe(ids.length);
});

test('bodies and answers are closed objects without the patterns of the schema library', () => {
  const text = JSON.stringify(paths);
  expect(text).toContain('"additionalProperties":false');
  expect(text).not.toContain('9007199254740991');
  expect(text).not.toContain('(?:(?:');
});

test('the documents for people need no other host', async () => {
  const page = await world.ask('/docs', { token: null });
  expect(page.status).toBe(200);
  const sources = [...String(page.body).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');
  expect(sources.length).toBeGreaterThan(2);
  for (const source of sources) {
    const asset = await world.ask(source, { token: null });
    expect(asset.status).toBe(200);
  }
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
});

test('every problem can be looked up at the address that is its type', async () => {
  const { body } = await world.ask('/docs/problems', { token: null });
  for (const code of Object.keys(problems)) expect(body).toContain(`id="${code}"`);
});

test('health', async () => {
  expect(await world.ask('/health/live', { token: null })).toMatchObject({ status: 200 });
  expect(await world.ask('/health/ready', { token: null })).toMatchObject({ status: 200 });
  world.parts.ready = async () => false;
  const unready = await world.ask('/health/ready', { token: null });
  expect(unready.status).toBe(503);
  expect(unready.headers.get('retry-after')).toBe('1');
});
