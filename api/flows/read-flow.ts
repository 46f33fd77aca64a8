import type { z } from 'zod';
import type { FlowDefinition } from '../../domain/flows/definition';
import { type FlowFault, told } from '../../domain/flows/flow-fault';
import { fieldsAt } from './fields-at';
import { flowSchema, stepKinds } from './flow-schema';
import { isFields } from './is-fields';
import { mendOfField, mendOfType, mendOfValue } from './shape-mends';

type Issue = z.core.$ZodIssue;

/** Most faults of shape that are told: what has more is no flow at all. */
export const shapeFaultsMax = 100;

/**
 * Reads a flow from JSON. `given` is what the caller said beside it, such as the name in a path: it fills what the JSON leaves
 * out, and has to agree with what it says. Shapes only: `checkFlow` says whether the flow can run.
 */
export function readFlow(
  json: unknown,
  given: { name?: string; version?: number } = {},
): { flow: FlowDefinition } | { faults: readonly FlowFault[] } {
  const differing = isFields(json)
    ? (['name', 'version'] as const).flatMap((field) => differs(field, json, given))
    : [];
  const shadows = isFields(json) ? shadowsIn(json) : [];
  const read = flowSchema.safeParse(isFields(json) ? { ...given, ...json } : json, { reportInput: true });
  const faults = [
    ...differing,
    ...shadows,
    ...(read.success ? [] : read.error.issues.flatMap((issue) => faultsOf(issue, json, given))),
  ];
  if (faults.length > 0 || !read.success) return { faults: faults.slice(0, shapeFaultsMax) };
  return { flow: read.data };
}

function differs(
  field: 'name' | 'version',
  json: Record<string, unknown>,
  given: Record<string, unknown>,
): FlowFault[] {
  const [said, beside] = [json[field], given[field]];
  if (said === undefined || beside === undefined || said === beside) return [];
  return [
    {
      code: 'differs-from-request',
      path: field,
      message: `${field} is ${told(said)}, and the request says ${told(beside)}.`,
      mend: `Write the same, or leave ${field} out.`,
    },
  ];
}

/** A key that JSON can have and no object keeps: it would get lost without a word. */
function shadowsIn(value: unknown, path: readonly string[] = []): FlowFault[] {
  if (!isFields(value) || path.length > 8) return [];
  return Object.entries(value).flatMap(([key, inner]): FlowFault[] =>
    key === '__proto__'
      ? [
          {
            code: 'name-shadows',
            path: [...path, key].join('.'),
            message: `The name ${key} means something to programs.`,
            mend: 'Take another name.',
          },
        ]
      : shadowsIn(inner, [...path, key]),
  );
}

function faultsOf(issue: Issue, flow: unknown, given: object): FlowFault[] {
  const at = issue.path.map(String);
  const path = at.join('.');
  const one = (code: string, message: string, mend: string) => [{ code, path, message, mend }];
  const field = at.at(-1) ?? 'The flow';
  switch (issue.code) {
    case 'unrecognized_keys': {
      const fields = fieldsToWrite(issue, flow, given);
      return issue.keys.map((key) => ({
        code: 'field-unknown',
        path: [...at, key].join('.'),
        message: `There is no field ${key} here.`,
        mend: mendOfField(key, fields),
      }));
    }
    case 'invalid_value': {
      const mend = mendOfValue(issue.input, issue.values.map(String));
      return issue.input === undefined
        ? one('field-missing', `${field} is missing.`, mend)
        : one('value-unknown', `${field} is ${told(issue.input)}.`, mend);
    }
    case 'invalid_union':
      return one(
        'step-kind-unknown',
        `The kind of the step is ${told(kindOf(issue.input))}.`,
        mendOfValue(kindOf(issue.input), stepKinds),
      );
    case 'invalid_type': {
      const mend = mendOfType(at, issue.expected, flow);
      return issue.input === undefined
        ? one('field-missing', `${field} is missing.`, mend)
        : one('wrong-type', `${field} is ${told(issue.input)}.`, mend);
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
