import { TypedSearchAttributes } from '@temporalio/common';
import { searchAttributesOf } from '../../domain/operator-panel/operator-panel';
import type { TransactionState } from '../../domain/transaction/state';
import {
  searchAttributes,
  stateSearchAttributes,
  type TransactionStart,
  transactionWorkflowId,
  workflowTaskTimeout,
} from '../../workflows/contract';

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
    staticSummary: `verify a person for ${state.tenant}${state.version > 0 ? ', resumed' : ''}`,
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowTaskTimeout,
  } as const;
}
