import type { FlowBody } from '../schemas/flow-body';
import { Problem } from '../problem';
import { isFlowName } from './flow-name';
import { type FlowFault, readFlow } from './flow-schema';
import type { Unversioned } from './flow-store';

/** What a fault list is cut to: whoever mends these sends it again anyhow. */
const faultsMax = 50;

const invalid = (faults: readonly FlowFault[]) =>
  new Problem('flow_invalid', { members: { faults: faults.slice(0, faultsMax) } });

/** The faults of a body beside its path. */
function faultsOfPlace(name: string, body: FlowBody): FlowFault[] {
  const faults: FlowFault[] = [];
  if (!isFlowName(name))
    faults.push({
      code: 'name_form',
      path: 'name',
      message: 'The name is not in kebab-case.',
      mend: 'Use words of a-z and 0-9 with hyphens between, a letter first, at most 60 characters.',
    });
  if (Object.hasOwn(body, 'version'))
    faults.push({
      code: 'version_given',
      path: 'version',
      message: 'The service counts the versions of a flow.',
      mend: 'Leave `version` out.',
    });
  if (Object.hasOwn(body, 'name') && body['name'] !== name)
    faults.push({
      code: 'name_differs',
      path: 'name',
      message: 'The flow has another name than the path.',
      mend: 'Leave `name` out, or send the flow to the path of its name.',
    });
  return faults;
}

/** The flow in a body for the path of a name. Throws flow_invalid with `faults`. */
export function readPutBody(name: string, body: FlowBody): Unversioned {
  const misplaced = faultsOfPlace(name, body);
  if (misplaced.length > 0) throw invalid(misplaced);
  const read = readFlow({ name, ...body, version: 1 });
  if ('faults' in read) throw invalid(read.faults);
  const { version: _, ...definition } = read.flow;
  return definition;
}
