/** The part of JSON Schema that the schema of flows uses. */
export interface JsonSchema {
  $ref?: string;
  $defs?: Readonly<Record<string, JsonSchema>>;
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  oneOf?: readonly JsonSchema[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  minimum?: number;
  description?: string;
}

/** The schemas that a value may match. */
type Schemas = readonly JsonSchema[];

const asObject = (value: unknown) =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

/** Follows a reference, and lists the alternatives of `oneOf`. */
function resolve(schema: JsonSchema, root: JsonSchema): Schemas {
  const name = schema.$ref?.split('/').at(-1);
  const target = name === undefined ? schema : (root.$defs?.[name] ?? {});
  return target.oneOf ? target.oneOf.flatMap((one) => resolve(one, root)) : [target];
}

/** If a step already has a `kind`, leaves only the schema of this kind. */
function ofKind(schemas: Schemas, value: unknown): Schemas {
  const { kind } = asObject(value);
  const matching = schemas.filter(({ properties }) => kind !== undefined && properties?.['kind']?.const === kind);
  return matching.length > 0 ? matching : schemas;
}

/** The schemas that the value at a path may match. `root`: the schema of a whole flow. `value`: the whole flow. */
export function schemasAt(root: JsonSchema, path: readonly string[], value: unknown): Schemas {
  let [schemas, current]: [Schemas, unknown] = [resolve(root, root), value];
  for (const key of path) {
    schemas = ofKind(schemas, current).flatMap(({ properties, additionalProperties, items }) => {
      const inner = properties?.[key] ?? (typeof additionalProperties === 'object' ? additionalProperties : items);
      return inner ? resolve(inner, root) : [];
    });
    current = asObject(current)[key];
  }
  return ofKind(schemas, current);
}

const indent = (text: string) => text.replaceAll('\n', '\n  ');

/** The JSON text of a new value that has all required fields. `root`: the schema of a whole flow. */
export function skeletonOf(schema: JsonSchema, root: JsonSchema): string {
  const [resolved = {}] = resolve(schema, root);
  if (resolved.const !== undefined) return JSON.stringify(resolved.const);
  if (resolved.enum) return JSON.stringify(resolved.enum[0]);
  switch (resolved.type) {
    case 'object': {
      const fields = (resolved.required ?? []).map(
        (name) => `"${name}": ${skeletonOf(resolved.properties?.[name] ?? {}, root)}`,
      );
      return fields.length === 0 ? '{}' : `{\n  ${indent(fields.join(',\n'))}\n}`;
    }
    case 'array':
      return '[]';
    case 'integer':
    case 'number':
      return String(resolved.minimum ?? 0);
    default:
      return '""';
  }
}
