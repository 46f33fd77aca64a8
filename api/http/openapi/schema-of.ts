import { z } from 'zod';

export type JsonObject = Record<string, unknown>;

/** Character classes such as \p{L}. Validators in other languages may not know them, or may read them differently. */
const unportablePattern = /\\p\{/;

/**
 * The JSON Schema of a zod schema. Leaves out patterns and bounds that only repeat `format` and `type`, and patterns that other
 * validators may read differently; the service still checks them. A schema with `component` in its metadata becomes a reference to
 * that component.
 */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format || unportablePattern.test(jsonSchema.pattern ?? '')) delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      const { component, description } = jsonSchema;
      if (typeof component !== 'string') return;
      for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
      Object.assign(jsonSchema, { $ref: `#/components/schemas/${component}`, ...(description ? { description } : {}) });
    },
  });
  return json;
}
