import { checkFlow } from '../../../domain/flows/check-flow';
import { decisionFacts } from '../../../domain/flows/decision-facts';
import type { FlowDefinition } from '../../../domain/flows/definition';
import type { FlowIssue } from '../../../domain/flows/flow-issue';
import { flowLimits } from '../../../domain/flows/bounds';
import { quote } from '../../../domain/text';
import { templates } from '../../../flows/templates';
import { createConditions } from '../../../platform/conditions/conditions';
import { flowSchema } from './flow-schema';
import { createDefaultMessageCheck, type MessageCheck } from './message-check';
import { isJsonObject, toFlowIssues } from './shape-issues';

const { check: checkCondition } = createConditions(decisionFacts, { maxLength: flowLimits.conditionCharacters });

interface CheckOptions {
  /** Checks the texts of messages, by the limits of a tenant. Default: by the limits of the service. */
  checkMessage?: MessageCheck;
  /** Names of the steps that were removed from the flow, because these steps do not match the schema. */
  malformedSteps?: ReadonlySet<string>;
}

/** Checks a flow by the rules and templates of this deployment. Returns the issues of the flow. */
export const checkFlowWithTemplates = (
  flow: FlowDefinition,
  { checkMessage = createDefaultMessageCheck(), malformedSteps }: CheckOptions = {},
): readonly FlowIssue[] => checkFlow(flow, { templates, checkCondition, checkMessage, malformedSteps });

/** Maximum number of issues about wrong types. JSON with so many issues is probably not a flow. */
const shapeIssuesMax = 100;

/**
 * Reads a flow from JSON by the schema. Returns the flow or its issues. This function does not check whether the flow can run.
 * `externalFields`: fields that are not in the JSON, such as the name in the path.
 */
export function readFlow(
  json: unknown,
  externalFields: { name?: string; version?: number } = {},
): { flow: FlowDefinition } | { issues: readonly FlowIssue[] } {
  const reservedNameIssues = isJsonObject(json) ? findReservedNames(json) : [];
  const parsed = flowSchema.safeParse(isJsonObject(json) ? { ...externalFields, ...json } : json, {
    reportInput: true,
  });
  const issues = [
    ...reservedNameIssues,
    ...(parsed.success ? [] : parsed.error.issues.flatMap((issue) => toFlowIssues(issue, json, externalFields))),
  ];
  if (issues.length > 0 || !parsed.success) return { issues: issues.slice(0, shapeIssuesMax) };
  return { flow: parsed.data };
}

/** Finds the key `__proto__`. JSON can have this key, but a copy of the object would lose it. */
function findReservedNames(value: unknown, path: readonly string[] = []): FlowIssue[] {
  if (!isJsonObject(value) || path.length > 8) return [];
  return Object.entries(value).flatMap(([key, inner]): FlowIssue[] =>
    key === '__proto__'
      ? [
          {
            code: 'name-reserved',
            path: [...path, key].join('.'),
            message: `${quote(key)} is a reserved name.`,
            fix: 'Use another name.',
          },
        ]
      : findReservedNames(inner, [...path, key]),
  );
}

/** The part of invalid JSON that matches the schema. */
interface ReadablePart {
  /** The flow without malformed steps. A field with a wrong type is empty. */
  flow: FlowDefinition;
  /** Names of the steps that do not match the schema. */
  malformedSteps: ReadonlySet<string>;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** The values for fields that are missing or have a wrong type. */
const emptyFlow: JsonObject = { name: '', version: 1, start: '', steps: {} };

const withoutFields = (fields: JsonObject, names: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)));

/**
 * Returns the part of the JSON that matches the schema. Undefined if the JSON does not match even without its wrong fields and malformed
 * steps.
 */
function readablePart(json: JsonObject): ReadablePart | undefined {
  const parsed = flowSchema.safeParse(json);
  if (parsed.success) return { flow: parsed.data, malformedSteps: new Set() };
  const { issues } = parsed.error;
  const malformedSteps = new Set(
    issues.flatMap(({ path: [topField, step] }) => (topField === 'steps' && step !== undefined ? [String(step)] : [])),
  );
  const invalidFields = new Set(
    issues.flatMap((issue) => {
      if (issue.path.length === 1) return [String(issue.path[0])];
      return issue.path.length === 0 && issue.code === 'unrecognized_keys' ? issue.keys : [];
    }),
  );
  const flow = { ...emptyFlow, ...withoutFields(json, invalidFields) };
  const parsedPart = flowSchema.safeParse({
    ...flow,
    steps: withoutFields(flow['steps'] as JsonObject, malformedSteps),
  });
  return parsedPart.success ? { flow: parsedPart.data, malformedSteps } : undefined;
}

/**
 * Reads a flow from JSON and checks it. Returns the flow or all its issues. If a step does not match the schema, two things are not
 * checked: the transitions of this step, and the totals of the flow, such as the number of messages. `externalFields`: fields that are not
 * in the JSON, such as the name in the path.
 */
export function checkDefinition(
  json: unknown,
  externalFields: { name?: string; version?: number } = {},
  checkMessage: MessageCheck = createDefaultMessageCheck(),
): { flow: FlowDefinition } | { issues: readonly FlowIssue[] } {
  const result = readFlow(json, externalFields);
  if ('flow' in result) {
    const issues = checkFlowWithTemplates(result.flow, { checkMessage });
    return issues.length === 0 ? result : { issues };
  }
  const { issues } = result;
  // The check ends here after a reserved name: the readable part has no key `__proto__`, so it is not the flow that the author wrote. The
  // check also ends here after too many issues, because this JSON is probably not a flow.
  if (!isJsonObject(json) || issues.length >= shapeIssuesMax || issues.some(({ code }) => code === 'name-reserved'))
    return result;
  const part = readablePart({ ...externalFields, ...json });
  const flowIssues = part
    ? checkFlowWithTemplates(part.flow, { checkMessage, malformedSteps: part.malformedSteps })
    : [];
  return { issues: [...issues, ...flowIssues.filter(({ path }) => !issues.some((other) => other.path === path))] };
}

/** A copy of a value as plain JSON data. Undefined if JSON cannot hold the value. */
export function toJsonData(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}
