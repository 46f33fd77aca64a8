import { z } from 'zod';
import { exitsOf, type Step } from '../../../domain/flows/definition';
import { type FlowIssue, formatValue } from '../../../domain/flows/flow-issue';
import { quote, quoteAll, suggestNames } from '../../../domain/text';
import { templates } from '../../../flows/templates';
import { flowSchema, stepKinds } from './flow-schema';

type SchemaIssue = z.core.$ZodIssue;

/** Whether a JSON value is an object. A list is no object. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Converts a schema issue to flow issues. `externalFields`: fields from outside the JSON, such as the name in the path of PUT. */
export function toFlowIssues(issue: SchemaIssue, flow: unknown, externalFields: object): FlowIssue[] {
  const keys = issue.path.map(String);
  const path = keys.join('.');
  const issueAtPath = (code: string, message: string, fix: string) => [{ code, path, message, fix }];
  const lastKey = keys.at(-1);
  const field = lastKey === undefined ? 'The flow' : quote(lastKey);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const fields = findMissingFields(issue, flow, externalFields);
      return issue.keys.map((key) => ({
        code: 'field-unknown',
        path: [...keys, key].join('.'),
        message: `The field ${quote(key)} is unknown here.`,
        fix: fixOfField(key, fields),
      }));
    }
    case 'invalid_value': {
      const fix = fixOfValue(issue.input, issue.values.map(String));
      return issue.input === undefined
        ? issueAtPath('field-missing', `${field} is missing.`, fix)
        : issueAtPath('value-unknown', `${field} is ${formatValue(issue.input)}.`, fix);
    }
    case 'invalid_union':
      return issueAtPath(
        'step-kind-unknown',
        `The kind of the step is ${formatValue(kindOf(issue.input))}.`,
        fixOfValue(kindOf(issue.input), stepKinds),
      );
    case 'invalid_type': {
      const fix = fixOfType(keys, issue.expected, flow);
      return issue.input === undefined
        ? issueAtPath('field-missing', `${field} is missing.`, fix)
        : issueAtPath('wrong-type', `${field} is ${formatValue(issue.input)}.`, fix);
    }
    default:
      return issueAtPath('wrong-type', `${field} is invalid.`, 'See GET /v1/flows/schema.');
  }
}

/**
 * Returns the fields that the schema allows at the path of the issue, but that the flow does not have there. External fields do not count
 * as missing.
 */
function findMissingFields({ path }: SchemaIssue, flow: unknown, externalFields: object): readonly string[] {
  const parentObject = path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown>)[key], flow);
  const presentFields =
    path.length > 0
      ? Object.keys(parentObject as object)
      : Object.keys({ ...externalFields, ...(parentObject as object) });
  return fieldsAt(path, flow).filter((name) => !presentFields.includes(name));
}

/** The `kind` of a step. If the step is not an object, returns the step itself. */
const kindOf = (step: unknown) => (isJsonObject(step) ? step['kind'] : step);

/** Returns the fix of an unknown field. `fields`: the missing fields of the same object. */
function fixOfField(unknownField: string, fields: readonly string[]): string {
  if (fields.length === 0) return 'Remove it.';
  return suggestNames(fields.length === 1 ? 'Write' : 'Write one of', unknownField, fields, ', or remove it.');
}

/** Returns the fix of a value that is not in a list of allowed values. */
const fixOfValue = (value: unknown, values: readonly string[]): string =>
  suggestNames('Write one of', typeof value === 'string' ? value : '', values);

/** The fix of a missing or wrong field, by the name of the field. */
const fixByField: Readonly<Record<string, string>> = {
  name: 'Write a name, such as `sign-up`.',
  steps: 'Write an object that has each step under its name.',
  rules: 'Write a list of rules, each with `when` and `then`.',
  when: 'Write a condition, such as `score < 40`.',
  outcome: 'Write the name of an outcome, such as `Confirmed`.',
  event: 'Write the name of the event, such as `sign-up.confirmed`.',
};

/** The fix of a field with a wrong type, by the expected type. */
const fixByType: Readonly<Record<string, string>> = {
  string: 'Write a string.',
  number: 'Write a whole number.',
  array: 'Write a list.',
};

/** Fields whose value is the name of a step. */
const transitionFields: readonly (string | undefined)[] = ['start', 'then', 'else', 'failed', 'exhausted'];

/** Returns the fix of a missing field, or of a field with a wrong type. */
function fixOfType(path: readonly string[], expected: string, flow: unknown): string {
  const steps = isJsonObject(flow) && isJsonObject(flow['steps']) ? flow['steps'] : {};
  const [topField, step = '', ...inner] = path;
  const flowStep = steps[step];
  const field = path.at(-1) ?? '';
  if (topField === 'steps' && path.length === 2)
    return `Write an object with one of these kinds: ${quoteAll(stepKinds)}.`;
  if (transitionFields.includes(field) || inner[0] === 'exits')
    return inner[0] === 'exits' && inner.length === 1 ? fixOfExits(flowStep) : fixOfNextStep(Object.keys(steps));
  if (expected === 'number' && /seconds$/i.test(field)) return 'Write a whole number of seconds.';
  const isEmail = isJsonObject(flowStep) && flowStep['channel'] === 'email';
  const fields = fieldsAt(path, flow).filter((name) => name !== 'subject' || isEmail);
  const object = fields.length === 0 ? 'Write an object.' : `Write an object with ${quoteAll(fields)}.`;
  if (field === 'name' && inner[0] === 'options') return 'Write a name for the reply, such as `NotMe`.';
  return fixByField[field] ?? fixByType[expected] ?? object;
}

const fixOfNextStep = (names: readonly string[]) =>
  names.length === 0 ? 'Write the name of a step.' : suggestNames('Use one of the steps:', '', names);

/** Returns a fix that lists the exits of a step. The step is invalid, so perhaps some exits are not known. */
function fixOfExits(step: unknown): string {
  const { kind, ask, template, options } = isJsonObject(step) ? step : {};
  const fix = 'Write an object with the next step for each exit';
  if (kind === 'confirm' && ask === 'reply') {
    const replyOptions: readonly unknown[] = Array.isArray(options)
      ? options
      : (templates.get(String(template))?.options ?? []);
    const replies = replyOptions.flatMap((reply) =>
      isJsonObject(reply) && typeof reply['name'] === 'string' ? [reply['name']] : [],
    );
    const names = replies.length === 0 ? 'the name of each reply' : quoteAll([...new Set(replies)]);
    return `${fix}: ${names}, ${quoteAll(exitsOf({ kind, ask } as Step))}.`;
  }
  const hasFixedExits = kind === 'biometrics' || kind === 'notify' || (kind === 'confirm' && ask === 'token');
  return hasFixedExits ? `${fix}: ${quoteAll(exitsOf({ kind, ask } as Step))}.` : `${fix}.`;
}

/** Returns the fields that the schema allows at a path of a flow. The fields of a step depend on its kind. */
function fieldsAt(path: readonly PropertyKey[], flow: unknown): readonly string[] {
  let schema: unknown = flowSchema;
  let value = flow;
  for (const key of path) {
    schema = schemaOfKey(resolveSchema(schema, value), key);
    value = typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined;
  }
  const objectSchema = resolveSchema(schema, value);
  return objectSchema instanceof z.ZodObject ? Object.keys(objectSchema.shape) : [];
}

/** Returns the schema for a value. If the schema is a union by kind, returns the schema for the kind of the value. */
function resolveSchema(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodExactOptional) return resolveSchema(schema.unwrap(), value);
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return schema;
  const { kind } = (value ?? {}) as { kind?: unknown };
  return schema.options.find(
    (option) => option instanceof z.ZodObject && z.safeParse(option.shape['kind'] as z.ZodType, kind).success,
  );
}

/** Returns the schema of one field of an object, or of one item of a list. */
function schemaOfKey(schema: unknown, key: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)];
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodArray ? schema.element : undefined;
}
