import { ApplicationFailure } from '@temporalio/common';
import { type ComputePool, openComputePool } from '../../platform/compute/compute-pool';
import type { Activities } from '../../workflows/ports';
import type * as conditionTasks from './condition-tasks';

/** The threads that evaluate conditions. */
export type ConditionCompute = ComputePool<typeof conditionTasks>;

export const openConditionCompute = (): ConditionCompute =>
  openComputePool('activities/conditions/condition-tasks', {
    // Less than the second that Temporal gives to the activity. The most expensive step takes 40 ms.
    deadlineMs: 900,
    // As many local activities as a worker runs at the same time.
    waitingPerTenantMax: 100,
  });

type ChooseRule = typeof conditionTasks.chooseRule;

/**
 * Creates the activity that evaluates the conditions of a decide step. `choose`: evaluates them for a tenant. Fails for good with ConditionFailed if a condition cannot be
 * evaluated. If the share of the tenant is used up, fails with ComputeBusy, and Temporal retries it.
 */
export const createRuleChooser =
  (
    choose: (tenant: string, rules: Parameters<ChooseRule>[0]) => Promise<ReturnType<ChooseRule>>,
  ): Activities['chooseRule'] =>
  async ({ tenant, conditions, facts }) => {
    const result = await choose(tenant, { conditions, facts });
    if ('failed' in result) throw ApplicationFailure.nonRetryable(result.failed, 'ConditionFailed');
    return result;
  };
