import { checkFlow } from '../../domain/flows/check-flow';
import { decisionFacts } from '../../domain/flows/decision-facts';
import type { FlowDefinition } from '../../domain/flows/definition';
import { flowLimits } from '../../domain/flows/flow-limits';
import { templates } from '../../flows/templates';
import { createConditions } from '../../platform/conditions';
import { Problem } from '../problem';
import type { readFlow } from './read-flow';

/** What is wrong with a flow, or with the way in which it was sent. */
export type Fault = Extract<ReturnType<typeof readFlow>, { faults: unknown }>['faults'][number];

/** What a list of faults is cut to: whoever mends these sends the flow again anyhow. */
const faultsMax = 50;

const { check: checkCondition } = createConditions(decisionFacts, { maxLength: flowLimits.condition });

export const flowInvalid = (faults: readonly Fault[]) =>
  new Problem('flow_invalid', { members: { faults: faults.slice(0, faultsMax) } });

/** What is wrong with a flow by the rules and texts that are deployed here; empty for a good one. */
export const faultsHere = (flow: FlowDefinition, unread?: ReadonlySet<string>): readonly Fault[] =>
  checkFlow(flow, { templates, checkCondition, unread });
