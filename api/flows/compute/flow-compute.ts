import { type ComputePool, ComputeBusy, openComputePool } from '../../../platform/compute/compute-pool';
import { autofillLines, type Brand } from '../../../domain/brand/brand';
import type { SendingLimits } from '../../../messages/sending-limits';
import { Problem } from '../../http/problem';
import type * as flowTasks from './flow-tasks';

/** The threads that check and draw flows. */
export type FlowCompute = ComputePool<typeof flowTasks>;

/**
 * A caller is promised an answer within 5 s. The largest flow that is drawn takes half a second on an idle core, so a task that takes longer
 * waits for a busy machine.
 */
const answerMs = 4_500;

/** `deadlineMs`: see ComputeOptions. */
export const openFlowCompute = (deadlineMs = answerMs): FlowCompute =>
  openComputePool('api/flows/compute/flow-tasks', { deadlineMs });

/** The settings of a tenant by which its texts are checked. */
export async function textLimitsOf(
  {
    sendingLimits,
    brands,
  }: { sendingLimits: (tenant: string) => SendingLimits; brands: { of: (tenant: string) => Promise<Brand> } },
  tenant: string,
) {
  const { linkDomains, segmentsPerMessage } = sendingLimits(tenant);
  const { name: brand, smsAutofill } = await brands.of(tenant);
  return { limits: { linkDomains, segmentsPerMessage }, brand, codeLines: autofillLines(smsAutofill) };
}

/** Waits for a task of `FlowCompute`. Throws flows_busy if the share of the tenant is used up, or if the deadline passed. */
export async function orBusy<Result>(task: Promise<Result>): Promise<Result> {
  try {
    return await task;
  } catch (error) {
    if (error instanceof ComputeBusy) throw new Problem('flows_busy');
    throw error;
  }
}
