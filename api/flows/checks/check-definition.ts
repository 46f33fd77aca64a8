import { checkFlow } from '../../../domain/flows/check-flow';
import { decisionFacts } from '../../../domain/flows/decision-facts';
import type { FlowDefinition } from '../../../domain/flows/definition';
import type { FlowIssue } from '../../../domain/flows/flow-issue';
import { flowLimits } from '../../../domain/flows/flow-limits';
import { templates } from '../../../flows/templates';
import { createConditions } from '../../../platform/conditions/conditions';
import { flowSchema } from './flow-schema';
import { isFields, shapeIssues } from './shape-issues';

const { check: checkCondition } = createConditions(decisionFacts, { maxLength: flowLimits.condition });

/**
 * What is wrong with a flow by the rules and texts that are deployed here; empty for a good one. `unread`: names of steps that
 * are left out of it, because they have not the shape of one.
 */
export const checkFlowHere = (flow: FlowDefinition, unread?: ReadonlySet<string>): readonly FlowIssue[] =>
  checkFlow(flow, { templates, checkCondition, unread });

/** Most issues of shape that are told: what has more is no flow at all. */
const shapeIssuesMax = 100;

/**
 * Reads a flow from JSON. `given` is what the caller said beside it, such as the name in a path: it fills what the JSON leaves
 * out. Shapes only: `checkFlow` says whether the flow can run.
 */
export function readFlow(
  json: unknown,
  given: { name?: string; version?: number } = {},
): { flow: FlowDefinition } | { issues: readonly FlowIssue[] } {
  const shadows = isFields(json) ? shadowsIn(json) : [];
  const read = flowSchema.safeParse(isFields(json) ? { ...given, ...json } : json, { reportInput: true });
  const issues = [
    ...shadows,
    ...(read.success ? [] : read.error.issues.flatMap((issue) => shapeIssues(issue, json, given))),
  ];
  if (issues.length > 0 || !read.success) return { issues: issues.slice(0, shapeIssuesMax) };
  return { flow: read.data };
}

/** A key that JSON can have and no object keeps: it would get lost without a word. */
function shadowsIn(value: unknown, path: readonly string[] = []): FlowIssue[] {
  if (!isFields(value) || path.length > 8) return [];
  return Object.entries(value).flatMap(([key, inner]): FlowIssue[] =>
    key === '__proto__'
      ? [
          {
            code: 'name-shadows',
            path: [...path, key].join('.'),
            message: `\`${key}\` is a reserved name.`,
            fix: 'Take another name.',
          },
        ]
      : shadowsIn(inner, [...path, key]),
  );
}

/** What can be read of something that is not quite a flow. */
interface ReadablePart {
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
function readablePart(json: Fields): ReadablePart | undefined {
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

/**
 * Reads a flow from JSON and checks it, with what the request says beside it: the flow, or what is wrong with it. A step that
 * has not its shape is not looked into, and neither are ways from it and totals; everything else is, in the same go.
 */
export function checkDefinition(
  json: unknown,
  given: { name?: string; version?: number } = {},
): { flow: FlowDefinition } | { issues: readonly FlowIssue[] } {
  const read = readFlow(json, given);
  if ('flow' in read) {
    const issues = checkFlowHere(read.flow);
    return issues.length === 0 ? read : { issues };
  }
  const { issues } = read;
  // A name that no object keeps would be another step than it says; what has too many issues is no flow at all.
  if (!isFields(json) || issues.length >= shapeIssuesMax || issues.some(({ code }) => code === 'name-shadows'))
    return read;
  const part = readablePart({ ...given, ...json });
  const others = part ? checkFlowHere(part.flow, part.unread) : [];
  return { issues: [...issues, ...others.filter(({ path }) => !issues.some((other) => other.path === path))] };
}
