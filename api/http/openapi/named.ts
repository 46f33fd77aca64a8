import { z } from 'zod';

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
