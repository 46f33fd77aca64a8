import type { FlowBody } from '../schemas/flow-body';
import { type Fault, faultsOf, flowInvalid } from './flow-invalid';
import { isFlowName } from './flow-name';
import type { Unversioned } from './flow-store';
import { readFlow } from './read-flow';

/** What is wrong about a body at the path of a name. */
function faultsOfPlace(name: string, body: FlowBody): Fault[] {
  const faults: Fault[] = [];
  if (!isFlowName(name))
    faults.push({
      code: 'flow-name',
      path: 'name',
      message: 'The name is not in kebab-case.',
      mend: 'Use words of a-z and 0-9 with hyphens between, a letter first, at most 60 characters.',
    });
  if (Object.hasOwn(body, 'version'))
    faults.push({
      code: 'version-given',
      path: 'version',
      message: 'The service counts the versions of a flow.',
      mend: 'Leave version out.',
    });
  if (Object.hasOwn(body, 'name') && body['name'] !== name)
    faults.push({
      code: 'differs-from-request',
      path: 'name',
      message: 'The flow has another name than the path.',
      mend: 'Leave name out, or send the flow to the path of its name.',
    });
  return faults;
}

/** The flow in a body for the path of a name. Throws flow_invalid with all of its `faults`, those of the place first. */
export function readPutBody(name: string, body: FlowBody): Unversioned {
  const misplaced = faultsOfPlace(name, body);
  // What the place decides is taken from there. Which version it becomes is known once it is kept.
  const read = readFlow({ ...body, name, version: 1 });
  if ('faults' in read) throw flowInvalid([...misplaced, ...read.faults]);
  // A name that is none was told of with the path.
  const found = faultsOf(read.flow).filter(({ path }) => path !== 'name' || isFlowName(name));
  const faults = [...misplaced, ...found];
  if (faults.length > 0) throw flowInvalid(faults);
  const { version: _, ...definition } = read.flow;
  return definition;
}
