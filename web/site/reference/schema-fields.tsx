import { Tag } from '../../kit/content';
import { InlineCode } from '../inline-code';
import { type JsonSchema, nameOf, type OpenApiDocument } from './openapi';

type Schemas = OpenApiDocument['components']['schemas'];

/** The names of the schemas around a field. If a schema contains itself, only the type of the inner schema is shown, without its fields. */
type Parents = readonly string[];

/** A schema, or the target of its reference (`$ref`). `name`: the name in the reference, if there was one. */
interface Resolved {
  schema: JsonSchema;
  name?: string | undefined;
}

/** Follows the reference of a schema. A description next to the reference replaces that of the target. */
function resolve(schemas: Schemas, schema: JsonSchema): Resolved {
  if (schema.$ref === undefined) return { schema };
  const name = nameOf(schema.$ref);
  const { schema: target } = resolve(schemas, schemas[name] ?? {});
  return {
    schema: { ...target, ...(schema.description === undefined ? {} : { description: schema.description }) },
    name,
  };
}

const isNull = ({ type }: JsonSchema) => type === 'null';

/** The alternatives of a schema except null, and whether a value may be null. */
function alternativesOf(schema: JsonSchema) {
  const all = schema.anyOf ?? schema.oneOf ?? [];
  return { alternatives: all.filter((item) => !isNull(item)), isNullable: all.some(isNull) };
}

/** The type of a field in words, such as `list of string`. */
export function typeOf(schemas: Schemas, schema: JsonSchema): string {
  const { schema: target, name } = resolve(schemas, schema);
  const { alternatives, isNullable } = alternativesOf(target);
  if (alternatives.length > 0)
    return [...alternatives.map((item) => typeOf(schemas, item)), ...(isNullable ? ['null'] : [])].join(' or ');
  if (target.enum) return [target.type ?? 'string'].flat().join(' or ');
  if (target.const !== undefined) return JSON.stringify(target.const);
  if (target.type === 'array') return `list of ${target.items ? typeOf(schemas, target.items) : 'any value'}`;
  const type = [target.type ?? 'any value'].flat().join(' or ');
  const detail = target.format ?? (type === 'object' ? name : undefined);
  return detail === undefined ? type : `${type} (${detail})`;
}

/** The limits of a value, such as `1 to 200 characters`. */
function limitsOf(schema: JsonSchema): string[] {
  const range = (min: number | undefined, max: number | undefined, unit: string) => {
    if (min === undefined && max === undefined) return [];
    if (min === max) return [`${max} ${unit}`];
    if (max === undefined) return [`at least ${min} ${unit}`];
    return [min === undefined || min === 0 ? `at most ${max} ${unit}` : `${min} to ${max} ${unit}`];
  };
  return [
    ...range(schema.minLength, schema.maxLength, 'characters'),
    ...range(schema.minItems, schema.maxItems, 'items'),
    ...range(schema.minimum, schema.maximum, '').map((text) => text.trim()),
    ...range(undefined, schema.maxProperties, 'fields'),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
}

/** The object schemas that the value of a field can have, also inside a list, among alternatives, or as the values of a map. */
function innerObjects(schemas: Schemas, schema: JsonSchema): Resolved[] {
  const resolved = resolve(schemas, schema);
  const { schema: target } = resolved;
  if (target.items) return innerObjects(schemas, target.items);
  const { alternatives } = alternativesOf(target);
  if (alternatives.length > 0) return alternatives.flatMap((item) => innerObjects(schemas, item));
  if (typeof target.additionalProperties === 'object' && !target.properties)
    return innerObjects(schemas, target.additionalProperties);
  return target.properties ? [resolved] : [];
}

/** The name of an alternative: the name of its schema, or the field with a fixed value, such as `by: phone`. */
function variantName({ schema, name }: Resolved, index: number): string {
  const [field, { const: value } = {}] =
    Object.entries(schema.properties ?? {}).find(([, property]) => property.const !== undefined) ?? [];
  return name ?? (field === undefined ? `Variant ${index + 1}` : `${field}: ${String(value)}`);
}

function Values({ schema }: { schema: JsonSchema }) {
  const values = schema.enum ?? schema.items?.enum;
  if (!values) return null;
  return (
    <p class="values">
      One of{' '}
      {values.map((value) => (
        <>
          <code>{String(value)}</code>{' '}
        </>
      ))}
    </p>
  );
}

interface FieldProps {
  schemas: Schemas;
  name: string;
  schema: JsonSchema;
  isRequired: boolean;
  parents: Parents;
}

function FieldRow({ schemas, name, schema, isRequired, parents }: FieldProps) {
  const { schema: target } = resolve(schemas, schema);
  const inner = innerObjects(schemas, schema);
  const limits = limitsOf(target);
  return (
    <li class="prop">
      <p class="prop-head">
        <code class="prop-name">{name}</code> <span class="prop-type">{typeOf(schemas, schema)}</span>{' '}
        {isRequired && <Tag tone="warn">required</Tag>}
      </p>
      {target.description && (
        <p>
          <InlineCode text={target.description} />
        </p>
      )}
      <Values schema={target.items ? { items: resolve(schemas, target.items).schema } : target} />
      {limits.length > 0 && <p class="soft">{limits.join(', ')}</p>}
      {inner.map((item, index) =>
        item.name !== undefined && parents.includes(item.name) ? null : (
          <details class="prop-inner">
            <summary>
              Fields of <code>{name}</code>
              {inner.length > 1 && <> ({variantName(item, index)})</>}
            </summary>
            <SchemaFields
              schemas={schemas}
              schema={item.schema}
              parents={item.name === undefined ? parents : [...parents, item.name]}
            />
          </details>
        ),
      )}
    </li>
  );
}

/** The fields of an object schema as a list. If a field is an object, the reader can open the list of its fields. */
export function SchemaFields({
  schemas,
  schema,
  parents = [],
}: {
  schemas: Schemas;
  schema: JsonSchema;
  parents?: Parents;
}) {
  const objects = schema.properties ? [{ schema }] : innerObjects(schemas, schema);
  return (
    <>
      {objects.map((item: Resolved, index) => (
        <>
          {objects.length > 1 && <p class="variant">{variantName(item, index)}</p>}
          <ul class="props">
            {Object.entries(item.schema.properties ?? {}).map(([name, property]) => (
              <FieldRow
                schemas={schemas}
                name={name}
                schema={property}
                isRequired={item.schema.required?.includes(name) === true}
                parents={item.name === undefined ? parents : [...parents, item.name]}
              />
            ))}
          </ul>
        </>
      ))}
    </>
  );
}
