import type { FlowDefinition } from '../../domain/flows/definition';
import { type FlowIssue, formatValue } from '../../domain/flows/flow-issue';
import { flowLimits } from '../../domain/flows/bounds';
import type { FlowBody } from './flow-body';
import { Problem } from '../http/problem';
import { createDefaultMessageCheck, type MessageCheck } from './checks/message-check';
import { checkDefinition } from './checks/check-definition';

/** Maximum number of fields and list items of a flow. The largest definition (64 KB) needs fewer. */
export const flowFieldsMax = 4_000;

/** Returns the Problem of an invalid flow, with the first issues. */
export const flowInvalidProblem = (issues: readonly FlowIssue[]) =>
  new Problem('flow_invalid', { members: { issues: issues.slice(0, flowLimits.issues) } });

/**
 * Returns the issues of version, name and $schema. In the body of PUT or in a file, the rules for these fields differ from the rules for a
 * saved definition.
 */
function requestIssues(name: string | undefined, body: FlowBody): FlowIssue[] {
  const issues: FlowIssue[] = [];
  if (Object.hasOwn(body, 'version'))
    issues.push({
      code: 'version-given',
      path: 'version',
      message: 'The service assigns the version of a flow.',
      fix: 'Remove `version`.',
    });
  if (name !== undefined && Object.hasOwn(body, 'name') && body['name'] !== name)
    issues.push({
      code: 'differs-from-request',
      path: 'name',
      message: 'The name of the flow differs from the path.',
      fix: 'Remove `name`, or use PUT /v1/flows/{name} with the same name.',
    });
  const { $schema = '' } = body;
  if (typeof $schema !== 'string')
    issues.push({
      code: 'wrong-type',
      path: '$schema',
      message: `\`$schema\` is ${formatValue($schema)}.`,
      fix: 'Write the URL of the schema as a string, or remove `$schema`.',
    });
  return issues;
}

/**
 * Reads and checks a flow without a version: the body of PUT /v1/flows/{name}, or a file. Returns the flow, with version 1 as a
 * placeholder, or all its issues. `name`: the name in the path, or the name of the file. If the field `name` of a file is not a string,
 * this parameter is undefined.
 */
export function readPutFlow(
  name: string | undefined,
  body: FlowBody,
  checkMessage: MessageCheck = createDefaultMessageCheck(),
): { flow: FlowDefinition } | { issues: readonly FlowIssue[] } {
  const fieldIssues = requestIssues(name, body);
  const { version: _version, $schema: _schema, ...fields } = body;
  const pathName = name === undefined ? {} : { name };
  // If the body has no name, the name of the path is passed outside of the body. Then no issue points to a name that the author has not
  // written.
  const [nameInBody, nameOutsideBody] = Object.hasOwn(body, 'name') ? [pathName, {}] : [{}, pathName];
  const result = checkDefinition({ ...fields, ...nameInBody }, { ...nameOutsideBody, version: 1 }, checkMessage);
  const definitionIssues = 'issues' in result ? result.issues : [];
  const issues = [
    ...fieldIssues,
    ...definitionIssues.filter(({ path }) => !fieldIssues.some((issue) => issue.path === path)),
  ];
  return issues.length > 0 || 'issues' in result ? { issues } : result;
}
