import { ApplicationFailure } from '@temporalio/common';
import { type ComputePool, openComputePool } from '../../platform/compute/compute-pool';
import { type Activities, conditionFailedType } from '../../workflows/ports';
import type * as conditionTasks from './condition-tasks';

/**
 * The threads that evaluate conditions. A tenant has at most 21 tasks at a time. Each holds one of the hundred local activities of a worker,
 * and all tenants need these to save records.
 */
export type ConditionCompute = ComputePool<typeof conditionTasks>;

export const openConditionCompute = (): ConditionCompute =>
  openComputePool('activities/conditions/condition-tasks', {
    // Less than the second that Temporal gives to the activity, which holds the lock of its transaction.
    deadlineMs: 900,
    // The rules of a step take at most 16 ms. In a new thread with a low priority, on a busy machine, they can take a hundred times as long.
    // A task that was killed then would begin again in a new thread.
    computeMs: 5_000,
  });

type ChooseRule = typeof conditionTasks.chooseRule;

/**
 * Creates the activity that evaluates the conditions of a decide step. `choose`: evaluates them for a tenant. Fails with
 * ConditionFailed if a condition cannot be evaluated. All other failures, such as ComputeBusy, say nothing about the conditions.
 */
export const createRuleChooser =
  (
    choose: (tenant: string, rules: Parameters<ChooseRule>[0]) => Promise<ReturnType<ChooseRule>>,
  ): Activities['chooseRule'] =>
  async ({ tenant, conditions, facts }) => {
    const result = await choose(tenant, { conditions, facts });
    if ('failed' in result) throw ApplicationFailure.nonRetryable(result.failed, conditionFailedType);
    return result;
  };
