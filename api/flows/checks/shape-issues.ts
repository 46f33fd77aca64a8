import { z } from 'zod';
import { suggestNames } from '../../../domain/closest-match';
import { exitsOf, type Step } from '../../../domain/flows/definition';
import { type FlowIssue, formatValue } from '../../../domain/flows/flow-issue';
import { templates } from '../../../flows/templates';
import { flowSchema, stepKinds } from './flow-schema';

type Issue = z.core.$ZodIssue;

/** Whether JSON is an object, and not a list. */
export function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a finding of the schema says of a flow. `given`: fields that the request says beside it. */
export function shapeIssues(issue: Issue, flow: unknown, given: object): FlowIssue[] {
  const at = issue.path.map(String);
  const path = at.join('.');
  const one = (code: string, message: string, fix: string) => [{ code, path, message, fix }];
  const field = at.at(-1) ?? 'The flow';
  switch (issue.code) {
    case 'unrecognized_keys': {
      const fields = fieldsToWrite(issue, flow, given);
      return issue.keys.map((key) => ({
        code: 'field-unknown',
        path: [...at, key].join('.'),
        message: `There is no field ${key} here.`,
        fix: fixOfField(key, fields),
      }));
    }
    case 'invalid_value': {
      const fix = fixOfValue(issue.input, issue.values.map(String));
      return issue.input === undefined
        ? one('field-missing', `${field} is missing.`, fix)
        : one('value-unknown', `${field} is ${formatValue(issue.input)}.`, fix);
    }
    case 'invalid_union':
      return one(
        'step-kind-unknown',
        `The kind of the step is ${formatValue(kindOf(issue.input))}.`,
        fixOfValue(kindOf(issue.input), stepKinds),
      );
    case 'invalid_type': {
      const fix = fixOfType(at, issue.expected, flow);
      return issue.input === undefined
        ? one('field-missing', `${field} is missing.`, fix)
        : one('wrong-type', `${field} is ${formatValue(issue.input)}.`, fix);
    }
    default:
      return one('wrong-type', `${field} is not as it has to be.`, 'Look at the schema of flows.');
  }
}

/** The fields that may still be written there. What the request says need not be. */
function fieldsToWrite({ path }: Issue, flow: unknown, given: object): readonly string[] {
  const place = path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown>)[key], flow);
  const written = path.length > 0 ? Object.keys(place as object) : Object.keys({ ...given, ...(place as object) });
  return fieldsAt(path, flow).filter((name) => !written.includes(name));
}

const kindOf = (step: unknown) => (isFields(step) ? step['kind'] : step);

/** What to do about a field that there is not, where these may still be written. */
function fixOfField(written: string, fields: readonly string[]): string {
  if (fields.length === 0) return 'Take it out.';
  return suggestNames(fields.length === 1 ? 'Write' : 'Write one of', written, fields, ', or take it out.');
}

/** What to do about a value that is none of those that there are. */
const fixOfValue = (written: unknown, values: readonly string[]): string =>
  suggestNames('Write one of', typeof written === 'string' ? written : '', values);

const byField: Readonly<Record<string, string>> = {
  name: 'Give a name, such as sign-up.',
  steps: 'Give an object of steps by name.',
  rules: 'Give a list of rules, each with when and then.',
  when: 'Write a condition, such as score < 40.',
  outcome: 'Give the name of an outcome, such as Confirmed.',
  event: 'Give the type of an event, such as sign-up.confirmed.',
};

const byType: Readonly<Record<string, string>> = {
  string: 'Give a text.',
  number: 'Give a whole number.',
  array: 'Give a list.',
};

const toSteps: readonly (string | undefined)[] = ['start', 'then', 'else', 'exhausted'];

/** What to do about a field at a path that is missing or of another type: by what it means, where that is known. */
function fixOfType(path: readonly string[], expected: string, flow: unknown): string {
  const steps = isFields(flow) && isFields(flow['steps']) ? flow['steps'] : {};
  const [at, step = '', ...inner] = path;
  const field = path.at(-1) ?? '';
  if (at === 'steps' && path.length === 2) return `Give an object with its kind: ${stepKinds.join(', ')}.`;
  if (toSteps.includes(field) || inner[0] === 'exits')
    return inner[0] === 'exits' && inner.length === 1 ? fixOfExits(steps[step]) : fixOfTarget(Object.keys(steps));
  if (expected === 'number' && /seconds$/i.test(field)) return 'Give a whole number of seconds.';
  const fields = fieldsAt(path, flow);
  const object = fields.length === 0 ? 'Give an object.' : `Give an object with ${fields.join(', ')}.`;
  if (field === 'name' && inner[0] === 'options') return 'Give the reply a name, such as NotMe.';
  return byField[field] ?? byType[expected] ?? object;
}

const fixOfTarget = (names: readonly string[]) =>
  names.length === 0 ? 'Name a step.' : suggestNames('Name one of the steps:', '', names);

/** The exits of a step that cannot be read, as far as what it says tells them. */
function fixOfExits(step: unknown): string {
  const { kind, ask, template, options } = isFields(step) ? step : {};
  const words = 'Give an object with a step for each exit';
  if (kind === 'confirm' && ask === 'reply') {
    const written: readonly unknown[] = Array.isArray(options)
      ? options
      : (templates.get(String(template))?.options ?? []);
    const replies = written.flatMap((reply) =>
      isFields(reply) && typeof reply['name'] === 'string' ? [reply['name']] : [],
    );
    const names = replies.length === 0 ? ['the name of each reply'] : new Set(replies);
    return `${words}: ${[...names, ...exitsOf({ kind, ask } as Step)].join(', ')}.`;
  }
  const known = kind === 'biometrics' || kind === 'notify' || (kind === 'confirm' && ask === 'token');
  return known ? `${words}: ${exitsOf({ kind, ask } as Step).join(', ')}.` : `${words}.`;
}

/** The fields that there are at a path of a flow, such as those of the kind of step that stands there; none where it ends. */
function fieldsAt(path: readonly PropertyKey[], flow: unknown): readonly string[] {
  let schema: unknown = flowSchema;
  let value = flow;
  for (const key of path) {
    schema = innerOf(resolve(schema, value), key);
    value = typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined;
  }
  const found = resolve(schema, value);
  return found instanceof z.ZodObject ? Object.keys(found.shape) : [];
}

/** What a schema is for a value: of those by kind the one of its kind. */
function resolve(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodExactOptional) return resolve(schema.unwrap(), value);
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return schema;
  const { kind } = (value ?? {}) as { kind?: unknown };
  return schema.options.find(
    (option) => option instanceof z.ZodObject && z.safeParse(option.shape['kind'] as z.ZodType, kind).success,
  );
}

function innerOf(schema: unknown, key: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)];
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodArray ? schema.element : undefined;
}
