import { z } from 'zod';

export type Json = Record<string, unknown>;

/** Character classes such as \p{L}, which validators of many languages do not know or read differently. */
const unportable = /\\p\{/;

/**
 * The JSON Schema of a zod schema. Patterns and bounds that only repeat `format` and `type` are left out, and so are patterns
 * that other validators would read differently: the service checks them in any case. A schema with `component` in its metadata
 * becomes a reference to that component.
 */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.format || unportable.test(jsonSchema.pattern ?? '')) delete jsonSchema.pattern;
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
