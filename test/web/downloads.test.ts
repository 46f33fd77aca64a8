import { ApiWorld } from '../api/api-world';

interface Item {
  name: string;
  request?: { method: string; url: { raw: string }; body?: { raw: string } };
  item?: Item[];
}

let world: ApiWorld;
let operations: string[];
beforeAll(async () => {
  world = await ApiWorld.open();
  const { body } = await world.request('/openapi.json', { token: null });
  const { paths } = body as { paths: Record<string, Record<string, object>> };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace('{id}', '{transactionId}')}`),
  );
});
afterAll(() => world.close());

const read = async (file: string) => {
  const { headers, body } = await world.request(`/docs/downloads/${file}`, { token: null });
  expect(headers.get('content-disposition')).toBe(`attachment; filename="${file}"`);
  return body;
};

/** Returns the operation as in the OpenAPI document, such as `GET /v1/flows/{name}`. */
const toOperation = (method: string, url: string) =>
  `${method} ${url.replace('{{baseUrl}}', '').replace(/\{\{(\w+)\}\}/g, '{$1}')}`;

test('the .http file has one request for each operation of the OpenAPI document', async () => {
  const text = String(await read('countersign.http'));
  const requests = Array.from(text.matchAll(/^(GET|POST|PUT|DELETE) (\S+)$/gm), ([, method = '', url = '']) =>
    toOperation(method, url),
  );
  expect(requests.toSorted()).toEqual(operations.toSorted());
});

test('each variable of the .http file has a value, or takes its value from the response to a request in the file', async () => {
  const text = String(await read('countersign.http'));
  const names = new Set(Array.from(text.matchAll(/^# @name (\w+)$/gm), ([, name]) => name));
  const variables = new Map(Array.from(text.matchAll(/^@(\w+) = (.+)$/gm), ([, name, value]) => [name, value]));
  const used = Array.from(text.matchAll(/\{\{(\w+)\}\}/g), ([, name]) => name);
  expect(used.filter((name) => !variables.has(name))).toEqual([]);
  const sources = Array.from(text.matchAll(/\{\{(\w+)\.response\.body\.\$/g), ([, name]) => name);
  expect(sources.length).toBeGreaterThan(6);
  expect(sources.filter((name) => !names.has(name))).toEqual([]);
});

test('the Postman collection has one request for each operation of the OpenAPI document', async () => {
  const { item: folders } = (await read('countersign.postman_collection.json')) as { item: Item[] };
  const items = folders.flatMap(({ item = [] }) => item);
  const requests = items.map(({ request }) => toOperation(request?.method ?? '', request?.url.raw ?? ''));
  expect(requests.toSorted()).toEqual(operations.toSorted());
});
