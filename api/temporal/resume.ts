import { TypedSearchAttributes } from '@temporalio/common';
import { attributesOf } from '../../domain/operator-panel/operator-panel';
import type { TransactionState } from '../../domain/state';
import {
  searchAttributes,
  shownAttributes,
  type TransactionStart,
  transactionWorkflowId,
  workflowTaskTimeout,
} from '../../workflows/contract';

/** What operators search by, as the run that closed had it: the workflow writes only what changes. */
function attributesToShow(state: TransactionState): TypedSearchAttributes {
  const shown = attributesOf(state);
  const known = shownAttributes.flatMap((name) => {
    const value = shown[name];
    return value === undefined ? [] : [{ key: searchAttributes[name], value }];
  });
  return new TypedSearchAttributes([{ key: searchAttributes.tenant, value: state.tenant }, ...known]);
}

/** How a transaction resumes from its record. One that runs already stays as it is. */
export function resumed(state: TransactionState, taskQueue: string) {
  return {
    workflowId: transactionWorkflowId(state.tenant, state.id),
    taskQueue,
    args: [{ resumed: state }] as [TransactionStart],
    typedSearchAttributes: attributesToShow(state),
    staticSummary: `verify a person for ${state.tenant}, resumed`,
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowTaskTimeout,
  } as const;
}
