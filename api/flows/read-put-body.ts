import type { FlowDefinition } from '../../domain/flows/definition';
import { type FlowFault, told } from '../../domain/flows/flow-fault';
import type { FlowBody } from './flow-body';
import { flowInvalid } from './flow-invalid';
import { checkDefinition } from './checks/check-definition';
import type { Unversioned } from '../../store/flows/flow-versions.sql';

/** A definition of 64 KB has no more fields; other bodies have far fewer. */
export const flowFieldsMax = 4_000;

/** What is wrong about a body at the path of a name, before the flow in it is looked at. */
function faultsOfPlace(name: string | undefined, body: FlowBody): FlowFault[] {
  const faults: FlowFault[] = [];
  if (Object.hasOwn(body, 'version'))
    faults.push({
      code: 'version-given',
      path: 'version',
      message: 'The service counts the versions of a flow.',
      mend: 'Leave version out.',
    });
  if (name !== undefined && Object.hasOwn(body, 'name') && body['name'] !== name)
    faults.push({
      code: 'differs-from-request',
      path: 'name',
      message: 'The flow has another name than the path.',
      mend: 'Leave name out, or send the flow to the path of its name.',
    });
  const { $schema = '' } = body;
  if (typeof $schema !== 'string')
    faults.push({
      code: 'wrong-type',
      path: '$schema',
      message: `$schema is ${told($schema)}.`,
      mend: 'Give the place of the schema as a text, or leave $schema out.',
    });
  return faults;
}

/**
 * What PUT makes of a body for the path of a name: a flow, of which nobody knows yet which version it becomes, or everything
 * that is wrong with it. `name` is undefined where a file has one that is no text.
 */
export function readPut(
  name: string | undefined,
  body: FlowBody,
): { flow: FlowDefinition } | { faults: readonly FlowFault[] } {
  const misplaced = faultsOfPlace(name, body);
  const { version: _version, $schema: _schema, ...written } = body;
  const named = name === undefined ? {} : { name };
  // The name is that of the path, where it need not be written, and then is no field to tell of.
  const [inside, beside] = Object.hasOwn(body, 'name') ? [named, {}] : [{}, named];
  // Which version it becomes is known once it is kept.
  const read = checkDefinition({ ...written, ...inside }, { ...beside, version: 1 });
  const others = 'faults' in read ? read.faults : [];
  // What is wrong about the place is told in its own words alone.
  const faults = [...misplaced, ...others.filter(({ path }) => !misplaced.some((fault) => fault.path === path))];
  return faults.length > 0 || 'faults' in read ? { faults } : read;
}

/** The flow in a body for the path of a name. Throws flow_invalid with `faults`. */
export function readPutBody(name: string, body: FlowBody): Unversioned {
  const read = readPut(name, body);
  if ('faults' in read) throw flowInvalid(read.faults);
  const { version: _, ...definition } = read.flow;
  return definition;
}
