import { z } from 'zod';
import { bodyBytesMax } from '../../../api/http/body/read-json';
import { routes } from '../../../api/routes';

/**
 * Size of one character in the longest form that JSON has: a surrogate pair as `\\uXXXX\\uXXXX`. Limits of texts count a pair as one character,
 * as JSON Schema does.
 */
const escapedBytes = 12;

/**
 * Routes whose limit is not the sum of the limits of fields: flows and messaging settings (bytes of a definition), the codec (payloads of
 * Temporal), and logos (Base64, which needs no escapes).
 */
const limitedAsWhole = [
  '/v1/flows/{name}',
  '/v1/flows/{name}/check',
  '/v1/codec/decode',
  '/v1/brand/logo',
  '/v1/messaging',
];

const isOf = (schema: z.core.JSONSchema.JSONSchema, type: string) => schema.type === type;

/** The most bytes of compact JSON that a schema allows. Throws an error for a value without a limit. */
function bytesMax(schema: z.core.JSONSchema.JSONSchema, path: string, root = schema): number {
  const part = (one: z.core.JSONSchema._JSONSchema | undefined, name: string): number => {
    if (typeof one !== 'object') throw new Error(`${path}.${name} has no limit.`);
    return bytesMax(one, `${path}.${name}`, root);
  };
  if (schema.$ref) return part(root.$defs?.[schema.$ref.split('/').at(-1) ?? ''], '');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return Math.max(...choices.map((choice) => part(choice, '')));
  const constants = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (constants) return Math.max(...constants.map((value) => JSON.stringify(value).length));
  if (isOf(schema, 'string') && schema.format === 'date') return 2 + 10 * escapedBytes;
  if (isOf(schema, 'string') && schema.maxLength !== undefined) return 2 + schema.maxLength * escapedBytes;
  if (isOf(schema, 'integer')) return String(Number.MIN_SAFE_INTEGER).length;
  if (isOf(schema, 'boolean')) return 5;
  if (isOf(schema, 'null')) return 4;
  if (isOf(schema, 'array') && schema.maxItems !== undefined && !Array.isArray(schema.items))
    return 2 + schema.maxItems * (1 + part(schema.items, '[]'));
  if (isOf(schema, 'object') && schema.additionalProperties === false)
    return Object.entries(schema.properties ?? {}).reduce(
      (sum, [name, field]) => sum + name.length + 4 + part(field, name),
      2,
    );
  if (isOf(schema, 'object') && schema.maxProperties !== undefined)
    return 2 + schema.maxProperties * (2 + part(schema.propertyNames, 'name') + part(schema.additionalProperties, '*'));
  throw new Error(`${path} has no limit: ${JSON.stringify(schema)}`);
}

const bodies = routes.flatMap((route) =>
  'body' in route && route.body !== undefined && !limitedAsWhole.includes(route.path)
    ? [{ route: `${route.method} ${route.path}`, limit: route.bodyLimits?.bytes ?? bodyBytesMax, body: route.body }]
    : [],
);

test('there are bodies to check', () => {
  expect(bodies.length).toBeGreaterThan(10);
});

test.each(bodies)(
  '$route accepts every body whose fields are within their limits, in any script',
  ({ limit, body }) => {
    const schema = z.toJSONSchema(body({ config: { STRICT_DOCUMENTS: true, COUNTERSIGN_ENV: 'local' } }), {
      io: 'input',
    });
    // A fifth is left for white space.
    expect(bytesMax(schema, 'body')).toBeLessThan(0.8 * limit);
  },
);
