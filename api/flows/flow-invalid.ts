import type { FlowFault } from '../../domain/flows/flow-fault';
import { Problem } from '../http/problem';

/** What a list of faults is cut to: whoever mends these sends the flow again anyhow. */
const faultsMax = 50;

/** The refusal of a flow that cannot be as it is written. */
export const flowInvalid = (faults: readonly FlowFault[]) =>
  new Problem('flow_invalid', { members: { faults: faults.slice(0, faultsMax) } });
