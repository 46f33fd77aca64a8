import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { scopes } from '../../../api/http/auth/access-tokens';
import { problems } from '../../../api/http/problems';
import { openApiDocument } from '../../../api/routes';

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
  [keyword: string]: unknown;
}

interface Content {
  [type: string]: { schema: Schema; examples?: Record<string, { value: unknown }> };
}

interface Operation {
  operationId: string;
  requestBody?: { content: Content };
  responses: Record<string, { $ref?: string; description?: string; content?: Content }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, { description: string }>;
    securitySchemes: { token: { flows: { clientCredentials: { scopes: Record<string, string> } } } };
  };
}

const config = { PUBLIC_URL: 'https://verify.example.com', STRICT_DOCUMENTS: false, COUNTERSIGN_ENV: 'local' as const };
const document = openApiDocument({ config }) as unknown as Document;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** The bodies of all requests and successful responses. */
const bodies = operations.flatMap(({ operationId, requestBody, responses }) => {
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 300);
  const contents = [['request', requestBody] as const, ...successes];
  return contents.flatMap(([place, body]) =>
    Object.entries(body?.content ?? {}).map(([type, media]) => ({ name: `${operationId} ${place} ${type}`, media })),
  );
});

test.each([true, false])(
  'every body has an example that its schema accepts (patterns in Unicode mode: %s)',
  (unicodeRegExp) => {
    const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true, unicodeRegExp }));
    const results = bodies.map(({ name, media: { schema, examples = {} } }) => {
      const validate = ajv.compile({ ...schema, components: document.components });
      const [example] = Object.values(examples);
      return [name, example !== undefined && validate(example.value) ? 'valid' : ajv.errorsText(validate.errors)];
    });
    expect(results).toEqual(bodies.map(({ name }) => [name, 'valid']));
    expect(bodies.length).toBeGreaterThan(80);
  },
);

test('every body has a named schema, or is a list of items with a named schema', () => {
  const unnamed = bodies.filter(({ media: { schema } }) => !('$ref' in ((schema['items'] as Schema) ?? schema)));
  expect(unnamed.map(({ name }) => name)).toEqual([]);
});

test('no pattern has Unicode classes such as \\p{L}, which many programming languages do not support', () => {
  expect(JSON.stringify(document)).not.toContain('\\\\p{');
});

test('every response with a problem refers to a shared response, whose description names the problem codes', () => {
  const { responses: shared } = document.components;
  for (const { operationId, responses } of operations)
    for (const [status, { $ref, description, content }] of Object.entries(responses)) {
      if ($ref === undefined) {
        expect(Object.keys(content ?? {})).not.toContain('application/problem+json');
        continue;
      }
      const text = description ?? shared[$ref.replace('#/components/responses/', '')]?.description ?? '';
      const codes = Array.from(text.matchAll(/`(\w+)`:/g), ([, code]) => code as keyof typeof problems);
      expect([operationId, status, codes.map((code) => problems[code]?.status)]).toEqual([
        operationId,
        status,
        codes.map(() => Number(status)),
      ]);
      expect(codes.length).toBeGreaterThan(0);
    }
});

test('operation ids are unique, and each is a verb with a noun', () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]*)+$/.test(id) || id.length > 26)).toEqual([]);
});

test('every field of a new transaction and every scope has a description of one sentence', () => {
  const fields = Object.entries(document.components.schemas['NewTransaction']?.properties ?? {});
  const scopeTexts = document.components.securitySchemes.token.flows.clientCredentials.scopes;
  expect(fields).toHaveLength(20);
  expect(Object.keys(scopeTexts)).toEqual(scopes);
  const descriptions = [...fields.map(([name, { description }]) => [name, description]), ...Object.entries(scopeTexts)];
  expect(descriptions.filter(([, text]) => !/^[A-Z].+\.$/.test(text ?? ''))).toEqual([]);
});

test('the events of a transaction are JSON or server-sent events', () => {
  const { content = {} } = document.paths['/v1/transactions/{id}/events']?.['get']?.responses['200'] ?? {};
  expect(Object.keys(content)).toEqual(['application/json', 'text/event-stream']);
});

/** All schemas of integers in a part of the document, with their paths. */
function integersIn(part: unknown, path = ''): { path: string; schema: Record<string, unknown> }[] {
  if (typeof part !== 'object' || part === null) return [];
  const schema = part as Record<string, unknown>;
  const inner = Object.entries(schema).flatMap(([name, value]) => integersIn(value, `${path}/${name}`));
  return schema['type'] === 'integer' ? [{ path, schema }, ...inner] : inner;
}

test('every integer that can exceed 32 bits has the format int64', () => {
  const settings = { config: { STRICT_DOCUMENTS: false, COUNTERSIGN_ENV: 'local', PUBLIC_URL: 'https://api.example' } };
  const integers = integersIn(openApiDocument(settings as Parameters<typeof openApiDocument>[0]));
  expect(integers.find(({ path }) => path.endsWith('/Phone/properties/number'))?.schema).toMatchObject({
    format: 'int64',
  });
  const fitsInt32 = ({ maximum = Infinity, minimum = 0 }: { maximum?: number; minimum?: number }) =>
    maximum <= 2 ** 31 - 1 && minimum >= -(2 ** 31);
  const wrong = integers.filter(({ schema }) => (schema['format'] === 'int64') === fitsInt32(schema));
  expect(wrong).toEqual([]);
});
