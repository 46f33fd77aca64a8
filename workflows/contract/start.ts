import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common';
import { searchAttributesOf } from '../../domain/operator-panel/operator-panel';
import type { TransactionState } from '../../domain/transactions/state';
import { transactionWorkflowId } from './ids';
import type { DeliveryStatusReport } from './commands';

/**
 * A workflow task takes some 50 ms. If the worker must first run the workflow again from a long history (a replay), the task takes up
 * to 300 ms. If a task takes more than 3 s, its worker has probably died. Then another worker must get the task soon, because callers are
 * promised an answer within 5 s.
 */
export const workflowTaskTimeout = '3s';

/**
 * The state from which a workflow run continues a transaction. `savedVersion`: the version of the newest record that the earlier workflow run
 * knew. Absent if `state` is the record. `reports`: delivery statuses that the earlier run could not save.
 */
export interface TransactionStart {
  state: TransactionState;
  savedVersion?: number;
  reports?: readonly DeliveryStatusReport[];
}

/**
 * The search attributes: fields by which operators find workflows in Temporal. They are not encrypted, so they never contain personal data.
 */
export const searchAttributes = {
  tenant: defineSearchAttributeKey('CountersignTenant', 'KEYWORD'),
  status: defineSearchAttributeKey('CountersignStatus', 'KEYWORD'),
  flow: defineSearchAttributeKey('CountersignFlow', 'KEYWORD'),
  flowVersion: defineSearchAttributeKey('CountersignFlowVersion', 'KEYWORD'),
  flowStep: defineSearchAttributeKey('CountersignFlowStep', 'KEYWORD'),
  flowOutcome: defineSearchAttributeKey('CountersignFlowOutcome', 'KEYWORD'),
} as const;

/** The search attributes that change with the state. */
export const stateSearchAttributes = ['status', 'flow', 'flowVersion', 'flowStep', 'flowOutcome'] as const;

/**
 * The search attributes (values by which Temporal can find workflows) with which a workflow starts. A running workflow writes only the
 * attributes that change, so it must start with all attributes.
 */
function startAttributesOf(state: TransactionState): TypedSearchAttributes {
  const values = searchAttributesOf(state);
  const attributes = stateSearchAttributes.flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [{ key: searchAttributes[name], value }];
  });
  return new TypedSearchAttributes([{ key: searchAttributes.tenant, value: state.tenant }, ...attributes]);
}

/** The options of a workflow start that continues a transaction from its record. A workflow that still runs stays as it is. */
export function resumeOptions(state: TransactionState, taskQueue: string) {
  return {
    workflowId: transactionWorkflowId(state.tenant, state.id),
    taskQueue,
    args: [{ state }] as [TransactionStart],
    typedSearchAttributes: startAttributesOf(state),
    staticSummary: `verify a person for ${state.tenant}`,
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowTaskTimeout,
  } as const;
}
