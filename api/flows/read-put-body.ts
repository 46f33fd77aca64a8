import type { FlowDefinition } from '../../domain/flows/definition';
import { type FlowIssue, formatValue } from '../../domain/flows/flow-issue';
import type { FlowBody } from './flow-body';
import { flowInvalid } from './flow-invalid';
import { checkDefinition } from './checks/check-definition';
import type { Unversioned } from '../../store/flows/flow-versions.sql';

/** A definition of 64 KB has no more fields; other bodies have far fewer. */
export const flowFieldsMax = 4_000;

/** What is wrong about a body at the path of a name, before the flow in it is looked at. */
function issuesOfPlace(name: string | undefined, body: FlowBody): FlowIssue[] {
  const issues: FlowIssue[] = [];
  if (Object.hasOwn(body, 'version'))
    issues.push({
      code: 'version-given',
      path: 'version',
      message: 'The service counts the versions of a flow.',
      fix: 'Leave version out.',
    });
  if (name !== undefined && Object.hasOwn(body, 'name') && body['name'] !== name)
    issues.push({
      code: 'differs-from-request',
      path: 'name',
      message: 'The flow has another name than the path.',
      fix: 'Leave name out, or send the flow to the path of its name.',
    });
  const { $schema = '' } = body;
  if (typeof $schema !== 'string')
    issues.push({
      code: 'wrong-type',
      path: '$schema',
      message: `$schema is ${formatValue($schema)}.`,
      fix: 'Give the place of the schema as a text, or leave $schema out.',
    });
  return issues;
}

/**
 * What PUT makes of a body for the path of a name: a flow, of which nobody knows yet which version it becomes, or everything
 * that is wrong with it. `name` is undefined where a file has one that is no text.
 */
export function readPutFlow(
  name: string | undefined,
  body: FlowBody,
): { flow: FlowDefinition } | { issues: readonly FlowIssue[] } {
  const misplaced = issuesOfPlace(name, body);
  const { version: _version, $schema: _schema, ...written } = body;
  const named = name === undefined ? {} : { name };
  // The name is that of the path, where it need not be written, and then is no field to tell of.
  const [inside, beside] = Object.hasOwn(body, 'name') ? [named, {}] : [{}, named];
  // Which version it becomes is known once it is kept.
  const read = checkDefinition({ ...written, ...inside }, { ...beside, version: 1 });
  const others = 'issues' in read ? read.issues : [];
  // What is wrong about the place is told in its own words alone.
  const issues = [...misplaced, ...others.filter(({ path }) => !misplaced.some((issue) => issue.path === path))];
  return issues.length > 0 || 'issues' in read ? { issues } : read;
}

/** The flow in a body for the path of a name. Throws flow_invalid with `issues`. */
export function readPutBody(name: string, body: FlowBody): Unversioned {
  const read = readPutFlow(name, body);
  if ('issues' in read) throw flowInvalid(read.issues);
  const { version: _, ...definition } = read.flow;
  return definition;
}
