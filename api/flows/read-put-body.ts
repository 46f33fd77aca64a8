import type { FlowDefinition } from '../../domain/flows/definition';
import { type FlowIssue, formatValue } from '../../domain/flows/flow-issue';
import type { FlowBody } from './flow-body';
import { Problem } from '../http/problem';
import { checkDefinition } from './checks/check-definition';
import type { UnversionedFlow } from '../../store/flows/flow-versions.sql';

/** A definition of 64 KB has no more fields. */
export const flowFieldsMax = 4_000;

/** Whoever fixes this many issues sends the flow again and gets the others. */
const issuesMax = 50;

/** The Problem of an invalid flow. */
export const flowInvalidProblem = (issues: readonly FlowIssue[]) =>
  new Problem('flow_invalid', { members: { issues: issues.slice(0, issuesMax) } });

/** Issues of the fields that depend on the request: version, name and $schema. */
function requestIssues(name: string | undefined, body: FlowBody): FlowIssue[] {
  const issues: FlowIssue[] = [];
  if (Object.hasOwn(body, 'version'))
    issues.push({
      code: 'version-given',
      path: 'version',
      message: 'The service assigns the version of a flow.',
      fix: 'Remove version.',
    });
  if (name !== undefined && Object.hasOwn(body, 'name') && body['name'] !== name)
    issues.push({
      code: 'differs-from-request',
      path: 'name',
      message: 'The name of the flow differs from the path.',
      fix: 'Remove name, or send the flow to the path of its name.',
    });
  const { $schema = '' } = body;
  if (typeof $schema !== 'string')
    issues.push({
      code: 'wrong-type',
      path: '$schema',
      message: `$schema is ${formatValue($schema)}.`,
      fix: 'Write the URL of the schema as a string, or remove $schema.',
    });
  return issues;
}

/**
 * Reads and checks the body of PUT /v1/flows/{name}: a flow, whose version is not known yet, or all its issues. `name` is
 * undefined for a file whose name is not a string.
 */
export function readPutFlow(
  name: string | undefined,
  body: FlowBody,
): { flow: FlowDefinition } | { issues: readonly FlowIssue[] } {
  const fieldIssues = requestIssues(name, body);
  const { version: _version, $schema: _schema, ...fields } = body;
  const pathName = name === undefined ? {} : { name };
  // Without a name in the body, the name of the path is no field of the body.
  const [nameInBody, nameOutsideBody] = Object.hasOwn(body, 'name') ? [pathName, {}] : [{}, pathName];
  const result = checkDefinition({ ...fields, ...nameInBody }, { ...nameOutsideBody, version: 1 });
  const definitionIssues = 'issues' in result ? result.issues : [];
  const issues = [
    ...fieldIssues,
    ...definitionIssues.filter(({ path }) => !fieldIssues.some((issue) => issue.path === path)),
  ];
  return issues.length > 0 || 'issues' in result ? { issues } : result;
}

/** The flow in the body of PUT /v1/flows/{name}. Throws flow_invalid with `issues`. */
export function readPutBody(name: string, body: FlowBody): UnversionedFlow {
  const result = readPutFlow(name, body);
  if ('issues' in result) throw flowInvalidProblem(result.issues);
  const { version: _, ...definition } = result.flow;
  return definition;
}
