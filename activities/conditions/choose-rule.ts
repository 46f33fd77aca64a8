import { ApplicationFailure } from '@temporalio/common';
import { ComputeBusy, type ComputePool, openComputePool } from '../../platform/compute/compute-pool';
import { type Activities, conditionFailedType } from '../../workflows/ports';
import type * as conditionTasks from './condition-tasks';
import { Turns } from './turns';

/** The threads that evaluate conditions. */
export type ConditionCompute = ComputePool<typeof conditionTasks>;

/** `deadlineMs`: less than the second that Temporal gives to the activity, which holds the lock of its transaction. */
export const openConditionCompute = (deadlineMs = 900): ConditionCompute =>
  openComputePool('activities/conditions/condition-tasks', {
    deadlineMs,
    // The rules of a step take at most 16 ms. In a new thread with a low priority, on a busy machine, they can take a hundred times as long.
    // A task that was killed then would begin again in a new thread.
    computeMs: 5_000,
    // Each waiting task holds one of the 40 workflow tasks and 100 local activities of the worker, and all tenants need these to save records.
    waitingPerTenantMax: 4,
  });

type ChooseRule = typeof conditionTasks.chooseRule;

/**
 * Creates the activity that evaluates the conditions of a decide step. `choose`: evaluates them for a tenant. `turns`: the share of each
 * tenant. Fails with ConditionFailed if a condition cannot be evaluated. All other failures say nothing about the conditions.
 */
export const createRuleChooser =
  (
    choose: (tenant: string, rules: Parameters<ChooseRule>[0]) => Promise<ReturnType<ChooseRule>>,
    turns = new Turns(),
  ): Activities['chooseRule'] =>
  async ({ tenant, conditions, facts, hasTurn = false }) => {
    if (!turns.isAllowed(tenant, hasTurn)) return { waitMs: turns.takeNext(tenant) };
    try {
      const result = await choose(tenant, { conditions, facts });
      turns.pay(tenant, result.cost);
      if ('failed' in result) throw ApplicationFailure.nonRetryable(result.failed, conditionFailedType);
      return { rule: result.rule };
    } catch (error) {
      if (error instanceof ComputeBusy) return { waitMs: turns.takeNext(tenant) };
      throw error;
    }
  };
