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
 * The issues of a flow by the rules and templates of this deployment. `malformedSteps`: names of steps that are
 * left out, because they do not match the schema.
 */
export const checkFlowHere = (flow: FlowDefinition, malformedSteps?: ReadonlySet<string>): readonly FlowIssue[] =>
  checkFlow(flow, { templates, checkCondition, malformedSteps });

/** JSON with more issues is not a flow at all. */
const shapeIssuesMax = 100;

/**
 * Reads a flow from JSON by the schema; `checkFlow` checks whether it can run. `given`: fields from outside the JSON, such as
 * the name in a path.
 */
export function readFlow(
  json: unknown,
  given: { name?: string; version?: number } = {},
): { flow: FlowDefinition } | { issues: readonly FlowIssue[] } {
  const reserved = isFields(json) ? findReserved(json) : [];
  const read = flowSchema.safeParse(isFields(json) ? { ...given, ...json } : json, { reportInput: true });
  const issues = [
    ...reserved,
    ...(read.success ? [] : read.error.issues.flatMap((issue) => shapeIssues(issue, json, given))),
  ];
  if (issues.length > 0 || !read.success) return { issues: issues.slice(0, shapeIssuesMax) };
  return { flow: read.data };
}

/** JSON can have the key `__proto__`, but an object would lose it silently. */
function findReserved(value: unknown, path: readonly string[] = []): FlowIssue[] {
  if (!isFields(value) || path.length > 8) return [];
  return Object.entries(value).flatMap(([key, inner]): FlowIssue[] =>
    key === '__proto__'
      ? [
          {
            code: 'name-reserved',
            path: [...path, key].join('.'),
            message: `\`${key}\` is a reserved name.`,
            fix: 'Use another name.',
          },
        ]
      : findReserved(inner, [...path, key]),
  );
}

/** The part of invalid JSON that matches the schema. */
interface ReadablePart {
  /** Without malformed steps. A field of a wrong type is empty. */
  flow: FlowDefinition;
  /** Names of the steps that do not match the schema. */
  malformedSteps: ReadonlySet<string>;
}

type Fields = Readonly<Record<string, unknown>>;

const blank: Fields = { name: '', version: 1, start: '', steps: {} };

const except = (fields: Fields, names: ReadonlySet<string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)));

function readablePart(json: Fields): ReadablePart | undefined {
  const whole = flowSchema.safeParse(json);
  if (whole.success) return { flow: whole.data, malformedSteps: new Set() };
  const { issues } = whole.error;
  const malformedSteps = new Set(
    issues.flatMap(({ path: [at, step] }) => (at === 'steps' && step !== undefined ? [String(step)] : [])),
  );
  const unfit = new Set(
    issues.flatMap((issue) => {
      if (issue.path.length === 1) return [String(issue.path[0])];
      return issue.path.length === 0 && issue.code === 'unrecognized_keys' ? issue.keys : [];
    }),
  );
  const flow = { ...blank, ...except(json, unfit) };
  const read = flowSchema.safeParse({ ...flow, steps: except(flow['steps'] as Fields, malformedSteps) });
  return read.success ? { flow: read.data, malformedSteps } : undefined;
}

/**
 * Reads a flow from JSON and checks it: the flow, or all its issues. `given`: fields from outside the JSON. Steps that do not
 * match the schema, their transitions and totals are not checked further; everything else is.
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
  // A reserved name would change the steps, and JSON with too many issues is not a flow.
  if (!isFields(json) || issues.length >= shapeIssuesMax || issues.some(({ code }) => code === 'name-reserved'))
    return read;
  const part = readablePart({ ...given, ...json });
  const others = part ? checkFlowHere(part.flow, part.malformedSteps) : [];
  return { issues: [...issues, ...others.filter(({ path }) => !issues.some((other) => other.path === path))] };
}
