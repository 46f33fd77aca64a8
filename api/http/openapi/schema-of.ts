import { z } from 'zod';

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
