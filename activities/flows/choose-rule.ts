import type * as conditionTasks from './condition-tasks';
import { ApplicationFailure } from '@temporalio/common';
import { ComputeBusy, type ComputePool, openComputePool } from '../../platform/compute/compute-pool';
import { type Activities, conditionFailedType } from '../../workflows/contract/activities';
import { LRUCache } from 'lru-cache';

/** The threads that evaluate conditions. */
export type ConditionCompute = ComputePool<typeof conditionTasks>;

/** `deadlineMs`: less than the second that Temporal gives to the activity, which holds the lock of its transaction. */
export const openConditionCompute = (deadlineMs = 900): ConditionCompute =>
  openComputePool('activities/flows/condition-tasks', {
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

/**
 * What an evaluation costs a worker besides its conditions, in steps of `cost`: some 2 ms for the facts, the workflow and its history.
 */
const baseCost = 15_000;
/**
 * The steps of one tenant in a second: a fifth of a core. These are 100 usual evaluations, more than a worker of two cores starts flow runs,
 * or 5 of the most expensive ones.
 */
const costPerSecond = 1_500_000;
/** How much unused time counts, so that flow runs may start at the same time: 500 usual evaluations, or two thirds of the most expensive run. */
const savedMs = 5_000;
/** How far evaluations with a turn may exceed the share: the costs differ, and a turn comes only once. */
const toleranceMs = 1_000;
/** Tenants in memory, about 100 bytes each. A tenant that is forgotten begins with an unused share. */
const tenantsMax = 10_000;

interface Account {
  /** When the evaluations so far are paid by the share of the tenant. Milliseconds of the clock. */
  paidAt: number;
  /** The newest turn that was given away. */
  lastTurnAt: number;
  /** What the newest evaluation cost, in milliseconds of the share. The next ones probably cost as much. */
  expectedMs: number;
}

/**
 * The share of each tenant in the evaluations of a worker, by their cost. An evaluation beyond the share gets a turn: a later time, at which
 * it is accepted. So it comes back once, however many others wait.
 */
export class Turns {
  readonly #accounts = new LRUCache<string, Account>({ max: tenantsMax });

  /** `clock`: milliseconds that only increase. */
  constructor(private readonly clock: () => number = () => performance.now()) {}

  /** Whether the tenant may evaluate now. `hasTurn`: the evaluation has waited for its turn. */
  isAllowed(tenant: string, hasTurn: boolean): boolean {
    const { paidAt, lastTurnAt } = this.#accountOf(tenant);
    const now = this.clock();
    return hasTurn ? paidAt <= now + savedMs + toleranceMs : Math.max(paidAt - savedMs, lastTurnAt) <= now;
  }

  /** Gives the next turn of the tenant to an evaluation. Returns the milliseconds until then. */
  takeNext(tenant: string): number {
    const account = this.#accountOf(tenant);
    const now = this.clock();
    account.lastTurnAt = Math.max(account.lastTurnAt, account.paidAt - savedMs, now) + account.expectedMs;
    return account.lastTurnAt - now;
  }

  /** Counts the cost of an evaluation, in steps. */
  pay(tenant: string, cost: number): void {
    const account = this.#accountOf(tenant);
    account.expectedMs = ((baseCost + cost) * 1_000) / costPerSecond;
    account.paidAt = Math.max(account.paidAt, this.clock()) + account.expectedMs;
  }

  #accountOf(tenant: string): Account {
    const account = this.#accounts.get(tenant) ?? {
      paidAt: 0,
      lastTurnAt: 0,
      expectedMs: (baseCost * 1_000) / costPerSecond,
    };
    this.#accounts.set(tenant, account);
    return account;
  }
}
