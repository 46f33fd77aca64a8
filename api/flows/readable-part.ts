import type { FlowDefinition } from '../../domain/flows/definition';
import { flowSchema } from './flow-schema';

/** What can be read of something that is not quite a flow. */
export interface ReadablePart {
  /** Without the fields that are unknown and the steps that are unread. What has no value of its type is empty. */
  flow: FlowDefinition;
  /** Names of the steps that have not the shape of one. */
  unread: ReadonlySet<string>;
}

/** What has more faults of shape is no flow at all, and not looked into. */
const issuesMax = 100;

type Fields = Record<string, unknown>;

/** What stands for a field that has no value of its type. */
const blanks: Fields = { name: '', version: 1, start: '', steps: {} };

/** The part of a would-be flow whose meaning can be checked; undefined when there is none. */
export function readablePart(json: Fields): ReadablePart | undefined {
  const whole = flowSchema.safeParse(json);
  if (whole.success) return { flow: whole.data, unread: new Set() };
  const { issues } = whole.error;
  if (issues.length > issuesMax) return undefined;
  const strays = issues.filter((issue) => issue.code === 'unrecognized_keys');
  const broken = issues.filter((issue) => issue.code !== 'unrecognized_keys').map(({ path }) => path.map(String));
  const blank = new Set(broken.filter(({ length }) => length === 1).flat());
  const unread = new Set(broken.flatMap(([at, step]) => (at === 'steps' && step !== undefined ? [step] : [])));
  const tidy = strays.reduce<Fields>((fields, { path, keys }) => without(fields, path.map(String), keys), json);
  const filled: Fields = {
    ...without(tidy, [], blank),
    ...Object.fromEntries(Object.entries(blanks).filter(([field]) => blank.has(field))),
  };
  const read = flowSchema.safeParse(without(filled, ['steps'], unread));
  return read.success ? { flow: read.data, unread } : undefined;
}

/** A copy of an object or a list, without some keys of what is at a path into it. */
function without<Value extends object>(
  value: Value,
  [next, ...rest]: readonly string[],
  keys: Iterable<string>,
): Value {
  const out = next === undefined ? new Set(keys) : new Set();
  const entries = Object.entries(value)
    .filter(([key]) => !out.has(key))
    .map(([key, inner]) => [key, key === next ? without(inner as object, rest, keys) : (inner as unknown)] as const);
  return (Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)) as Value;
}
