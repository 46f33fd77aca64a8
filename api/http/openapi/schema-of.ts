import { z } from 'zod';
import { biometricsStatuses } from '../../../domain/biometrics/biometrics';
import { channels } from '../../../domain/confirmations/settings';
import { transactionStatuses } from '../../../domain/transactions/status';
import type { Scope } from '../auth/access-tokens';

/** Ids that the examples of the OpenAPI document share, so that together they show one transaction. */
export const sample = {
  transactionId: '0198c5e2-7a10-7c3e-9b1f-2d4e6f8a0b1c',
  runId: '0198c5e2-9f44-7d21-8a6b-5c7d9e1f3a2b',
  biometricsId: '4f1d2c3b-6a5e-4d7f-8c9b-0a1b2c3d4e5f',
  confirmationId: 'e0b7a6c5-d4f3-4e2a-9b18-7c6d5e4f3a2b',
  document: '52998224725',
} as const;

/**
 * Gives a schema a name. In the OpenAPI document, the schema becomes a component, and each place that uses the schema refers to this
 * component. `example`: a valid value. The document shows this value for each body with this schema.
 */
export const named = <Schema extends z.ZodType>(id: string, schema: Schema, example?: z.input<Schema>): Schema =>
  schema.meta({ id, ...(example === undefined ? {} : { example }) });

/** The example of a schema. For a list, a list with the example of its items. Undefined if there is none. */
export function findExample(schema: z.ZodType): unknown {
  const example = schema.meta()?.['example'];
  if (example !== undefined || !(schema instanceof z.ZodArray)) return example;
  return [findExample(schema.element as z.ZodType)];
}

/** The example of a schema, to use it in other examples. Throws if there is none. */
export function exampleOf<Schema extends z.ZodType>(schema: Schema): z.input<Schema> {
  const example = findExample(schema);
  if (example === undefined) throw new Error('The schema has no example.');
  return example as z.input<Schema>;
}

const int32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };

/** Whether a schema allows integers that do not fit into 32 bits. Without bounds, it does. */
const exceedsInt32 = ({ minimum, maximum = Infinity }: JsonObject & { minimum?: number; maximum?: number }) =>
  maximum > int32.max || (minimum ?? 0) < int32.min;

/**
 * Adds `format: int64` to every integer of an OpenAPI document that can exceed 32 bits. Generators of many languages read an integer
 * without a format as 32 bits.
 */
export function withIntegerFormats<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(withIntegerFormats) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const { example, examples, ...schema } = part as JsonObject;
  return {
    ...Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, withIntegerFormats(value)])),
    ...(schema['type'] === 'integer' && exceedsInt32(schema) ? { format: 'int64' } : {}),
    ...(example === undefined ? {} : { example }),
    ...(examples === undefined ? {} : { examples }),
  } as Part;
}

/** An object with any JSON values, such as a part of the OpenAPI document. */
export type JsonObject = Record<string, unknown>;

/** Returns the JSON Schema of a zod schema. `io`: whether values are described before parsing (`input`) or after it (`output`). */
export type SchemaOf = (schema: z.ZodType, io: 'input' | 'output') => JsonObject;

/**
 * A pattern with a character class such as \p{L}. Some validators in other programming languages do not know such a class, or read it
 * differently.
 */
const unportablePattern = /\\p\{/;

/**
 * Creates a function that converts zod schemas. It adds each schema with a name (`named`) to `components`, and refers to it.
 *
 * Leaves out patterns and bounds that only repeat `format` and `type`. Also leaves out patterns that other validators may read differently.
 * The service itself still checks all of these patterns and bounds. A schema with `component` in its metadata becomes a reference to that
 * component.
 */
export function createSchemaOf(components: Record<string, JsonObject>): SchemaOf {
  const add = (name: string, schema: JsonObject) => {
    const known = JSON.stringify((components[name] ??= schema));
    if (known !== JSON.stringify(schema)) throw new Error(`Two schemas have the name ${name}.`);
  };
  return (schema, io) => {
    const json = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => {
        // If there is a reference, the pattern only repeats the pattern of the component.
        if (jsonSchema.$ref || jsonSchema.format || unportablePattern.test(jsonSchema.pattern ?? ''))
          delete jsonSchema.pattern;
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
        // `mediaType` writes the example, so the schema does not repeat it.
        delete jsonSchema['example'];
        const { component } = jsonSchema;
        if (typeof component !== 'string') return;
        for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
        jsonSchema.$ref = `#/$defs/${component}`;
      },
    });
    const text = JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/');
    const { $schema: _, $defs = {}, ...own } = JSON.parse(text) as JsonObject & { $defs?: Record<string, JsonObject> };
    for (const [name, definition] of Object.entries($defs)) add(name, definition);
    return own;
  };
}

export const utcTime = named('Time', z.iso.datetime().describe('ISO 8601 in UTC'));

export const channel = named('Channel', z.enum(channels));

export const transactionStatus = named('TransactionStatus', z.enum(transactionStatuses));

export const biometricsStatus = named('BiometricsStatus', z.enum(biometricsStatuses));

/** The field that a page of a list has in addition to its items. */
export const nextPage = { next: z.string().optional().describe('Send it as `after` to get the next page') };

export const auditEntry = named(
  'AuditEntry',
  z.strictObject({
    at: utcTime,
    actor: z.string(),
    action: z.string(),
    detail: z.record(z.string(), z.unknown()),
  }),
  { at: '2026-01-31T12:00:00.000Z', actor: 'acme', action: 'image_read', detail: { kind: 'selfie' } },
);

/**
 * Marks a text that gives access to everyone who has it, such as a URL with a token. `needs`: the scope or secret that a caller must have
 * to get the text. If the route needs a scope other than `needs`, its handler must leave the field out for callers without `needs`.
 */
export const sensitive = <Schema extends z.ZodType>(schema: Schema, needs: Scope | 'client secret'): Schema =>
  schema.meta({ 'x-needs': needs, description: `Gives access to everyone who has it. Needs: ${needs}` });
