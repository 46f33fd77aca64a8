import { z } from 'zod';

export type Json = Record<string, unknown>;

/** Names of characters, such as \p{L}: validators of many languages do not know them, or read them as other characters. */
const unportable = /\\p\{/;

/**
 * The JSON Schema of a zod one. Zod writes patterns and bounds of its own for dates and whole numbers; `format` and `type`
 * say the same to readers. What has `component` in its metadata is that component of the document. A pattern that callers'
 * validators would read in another way is left out: the service checks it all the same.
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
