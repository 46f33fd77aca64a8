import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { median } from '../../../bench/report/statistics';
import { routes } from '../../../api/routes';
import { ApiWorld, person } from '../api-world';
import { cpuTimeMs } from '../../support/cpu-time';

/** The limit of the median time of an answer. Answers must be fast, because an attacker can send many hostile bodies. */
const longestMs = 100;
/** How much more memory the process may use after 1,000 hostile bodies. */
const memoryMb = 50;

let world: ApiWorld;
let path = '';
beforeAll(async () => {
  world = await ApiWorld.open();
  ({ path } = await world.createTransaction());
  await world.post(`${path}/sms/tokens`);
});
afterAll(() => world.close());

const stateOf = () => JSON.stringify([...world.transactions.states]);

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  [key: string]: unknown;
}

/** The names of all fields in a schema, also in inner objects and referenced components. */
function fieldNames(schema: unknown, components: Record<string, Schema>, names = new Set<string>()): Set<string> {
  if (typeof schema !== 'object' || schema === null) return names;
  const { $ref, properties = {} } = schema as Schema;
  if ($ref?.startsWith('#/components/schemas/'))
    fieldNames(components[$ref.split('/').at(-1) ?? ''], components, names);
  for (const name of Object.keys(properties)) names.add(name);
  for (const part of Object.values(schema)) fieldNames(part, components, names);
  return names;
}

/** All fields of the OpenAPI document and the state, except those that a new transaction accepts. */
async function readResponseOnlyFields(): Promise<string[]> {
  const { body } = await world.request('/openapi.json', { token: null });
  const { paths, components } = body as {
    paths: Record<string, Record<string, Schema>>;
    components: { schemas: Record<string, Schema> };
  };
  const create = paths['/v1/transaction']?.['post'] as { requestBody: unknown };
  const fieldsOf = (part: unknown) => fieldNames(part, components.schemas);
  const [allowed, all] = [fieldsOf(create.requestBody), fieldsOf([paths, components])];
  const stateFields = Object.keys([...world.transactions.states.values()][0] ?? {});
  return [...new Set([...all, ...stateFields, 'tenant', 'scopes', 'isAdmin'])].filter((name) => !allowed.has(name));
}

test('a request cannot set a field that only the service may set, at the top or in an inner object', async () => {
  const fields = await readResponseOnlyFields();
  const before = stateOf();
  expect(fields.length).toBeGreaterThan(100);
  for (const field of fields)
    for (const body of [
      { ...person, [field]: 'x' },
      { ...person, phone: { ...person.phone, [field]: true } },
      { ...person, card: { [field]: 1 } },
    ]) {
      const { status } = await world.request('/v1/transaction', { body });
      expect([field, status]).toEqual([field, 400]);
    }
  expect(stateOf()).toBe(before);
  // In docs/security.md, this attack is S8.
  process.stderr.write(`S8: ${fields.length} fields of responses, 3 requests each, 0 accepted\n`);
});

const json = JSON.stringify(person);
/** A valid body with one more field. */
const withField = (field: string) => `{${field},${json.slice(1)}`;
/** A value with 10,000 levels. */
const deep = (open: string, close: string) => `${open.repeat(10_000)}1${close.repeat(10_000)}`;

const hostileBodies: Record<string, string> = {
  '__proto__ at the top': withField('"__proto__":{"verifiedEmail":true}'),
  '__proto__ in phone': json.replace('"countryCode"', '"__proto__":{"verified":true},"countryCode"'),
  '__proto__ in genericFields': withField('"genericFields":{"__proto__":{"a":"b"}}'),
  'an escaped __proto__': withField('"\\u005f_proto__":{"a":1}'),
  constructor: withField('"constructor":{"prototype":{"verifiedEmail":true}}'),
  '5,000 fields': `{${Array.from({ length: 5_000 }, (_, index) => `"f${index}":1`).join(',')}}`,
  '10,000 fields, more than 64 KB': `{${Array.from({ length: 10_000 }, (_, index) => `"f${index}":1`).join(',')}}`,
  '4,000 generic fields': withField(
    `"genericFields":{${Array.from({ length: 4_000 }, (_, index) => `"f${index}":""`).join(',')}}`,
  ),
  '10,000 levels of objects': deep('{"a":', '}'),
  '10,000 levels of lists': deep('[', ']'),
  'a number that is too large for a double': withField('"type":1e400'),
  'a negative number that is too large for a double': json.replace('987654321', '-1e400'),
  'a number with 60,000 digits': withField(`"type":${'9'.repeat(60_000)}`),
  'a repeated field': withField('"document":"1"'),
  'a repeated field whose name has an escape': withField('"documen\\u0074":"1"'),
  'half of a surrogate pair': json.replace('Maria', '\\ud800'),
  'half of a surrogate pair in a name': withField('"\\udfff":1'),
  'a NUL': json.replace('Maria', '\\u0000'),
  'a NUL in an address': json.replace('maria.silva', 'maria\\u0000'),
  'an empty list in place of an object': withField('"phone":[]').replace(/"phone":\{[^}]*\}/, '"type":1'),
  'only a text': '"__proto__"',
  'only null': 'null',
};

test.each(Object.keys(hostileBodies))('every endpoint rejects this body with a 4xx status: %s', async (name) => {
  const rawBody = hostileBodies[name] ?? '';
  const before = stateOf();
  const id = path.split('/').at(-1) ?? '';
  const endpoints = routes.filter((route) => route.method !== 'get' && 'body' in route);
  expect(endpoints.length).toBeGreaterThan(8);
  const times: number[] = [];
  for (const { method, path: template } of endpoints) {
    const target = template.replace('{id}', id).replaceAll(/\{\w+\}/g, '0190a6f0-0000-7000-8000-000000000000');
    const startedAt = cpuTimeMs();
    const { status } = await world.request(target, { method: method.toUpperCase(), rawBody });
    times.push(cpuTimeMs() - startedAt);
    expect([template, status, status >= 400 && status < 500]).toEqual([template, status, true]);
  }
  // The median, because a garbage collection can make single requests slow.
  expect(median(times)).toBeLessThan(longestMs);
  expect(stateOf()).toBe(before);
  expect(({} as Record<string, unknown>)['verifiedEmail']).toBeUndefined();
});

/** In MB, after a garbage collection. */
function usedMemory(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 1e6;
}

test(`1,000 hostile bodies leave less than ${memoryMb} MB in memory`, async () => {
  const bodies = Object.values(hostileBodies);
  const before = { used: usedMemory(), resident: process.memoryUsage.rss() / 1e6 };
  const times: number[] = [];
  for (let index = 0; index < 1_000; index += 1) {
    const startedAt = cpuTimeMs();
    const { status } = await world.post('/v1/transaction', { rawBody: bodies[index % bodies.length] ?? '' });
    times.push(cpuTimeMs() - startedAt);
    expect([400, 413]).toContain(status);
  }
  const resident = process.memoryUsage.rss() / 1e6 - before.resident;
  const used = usedMemory() - before.used;
  process.stderr.write(
    `S8: 1,000 hostile bodies: memory ${used.toFixed(1)} MB in use and ${resident.toFixed(0)} MB resident more, ` +
      `median ${median(times).toFixed(1)} ms, slowest ${Math.max(...times).toFixed(0)} ms\n`,
  );
  expect(used).toBeLessThan(memoryMb);
});
