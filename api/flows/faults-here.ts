import { checkFlow } from '../../domain/flows/check-flow';
import { decisionFacts } from '../../domain/flows/decision-facts';
import type { FlowDefinition } from '../../domain/flows/definition';
import type { FlowFault } from '../../domain/flows/flow-fault';
import { flowLimits } from '../../domain/flows/flow-limits';
import { templates } from '../../flows/templates';
import { createConditions } from '../../platform/conditions';

const { check: checkCondition } = createConditions(decisionFacts, { maxLength: flowLimits.condition });

/**
 * What is wrong with a flow by the rules and texts that are deployed here; empty for a good one. `unread`: names of steps that
 * are left out of it, because they have not the shape of one.
 */
export const faultsHere = (flow: FlowDefinition, unread?: ReadonlySet<string>): readonly FlowFault[] =>
  checkFlow(flow, { templates, checkCondition, unread });
