import type { FlowDefinition } from '../../domain/flows/definition';
import { flowSchema } from './flow-schema';

/** What can be read of something that is not quite a flow. */
export interface ReadablePart {
  /** Without the steps that are unread. A field that has no value of its type is empty. */
  flow: FlowDefinition;
  /** Names of the steps that have not the shape of one: what was meant is not guessed. */
  unread: ReadonlySet<string>;
}

type Fields = Readonly<Record<string, unknown>>;

const blank: Fields = { name: '', version: 1, start: '', steps: {} };

const except = (fields: Fields, names: ReadonlySet<string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)));

/** The part of a would-be flow whose meaning can be checked; undefined when there is none. */
export function readablePart(json: Fields): ReadablePart | undefined {
  const whole = flowSchema.safeParse(json);
  if (whole.success) return { flow: whole.data, unread: new Set() };
  const { issues } = whole.error;
  const unread = new Set(
    issues.flatMap(({ path: [at, step] }) => (at === 'steps' && step !== undefined ? [String(step)] : [])),
  );
  const unfit = new Set(
    issues.flatMap((issue) => {
      if (issue.path.length === 1) return [String(issue.path[0])];
      return issue.path.length === 0 && issue.code === 'unrecognized_keys' ? issue.keys : [];
    }),
  );
  const flow = { ...blank, ...except(json, unfit) };
  const read = flowSchema.safeParse({ ...flow, steps: except(flow['steps'] as Fields, unread) });
  return read.success ? { flow: read.data, unread } : undefined;
}
