import { isCancellation } from '@temporalio/workflow';
import type { NotifyStep } from '../../domain/flows/definition';
import { originOf, currentStepName } from '../../domain/flows/run';
import { addMs } from '../../domain/add-ms';
import { notifyCaller, notifyRetryPolicy } from '../activities';
import { msUntil, now } from '../live-transaction';
import type { RunVisit } from './run-visit';

/**
 * Notifies the caller, and leaves the step by the outcome. If the workflow continues as new meanwhile, the next
 * workflow run notifies the caller again with the same event id. Calls `markStarted` when the record shows the step.
 */
export async function notifyStep(visit: RunVisit, step: NotifyStep, markStarted: () => void): Promise<void> {
  const { live, run } = visit;
  await visit.runExclusive(() => live.save());
  markStarted();
  const { tenant, id: transactionId } = live.state;
  const stepName = currentStepName(run);
  const event = {
    id: `${run.id}.${run.path.length}`,
    tenant,
    transactionId,
    type: step.event,
    at: run.path.at(-1)?.enteredAt ?? now(),
    data: { runId: run.id, flow: run.flow, version: run.version, step: stepName },
  };
  const summary = `${originOf(run)}: notify the caller of ${step.event}`;
  const timeLimitMs = step.giveUpAfterSeconds * 1_000;
  const scheduleToCloseTimeout = Math.max(1_000, msUntil(addMs(event.at, timeLimitMs)));
  const options = { scheduleToCloseTimeout, retry: notifyRetryPolicy(timeLimitMs), summary };
  const result = await notifyCaller.executeWithOptions(options, [event]).catch((error: unknown) => {
    if (isCancellation(error)) throw error;
    return { delivered: false, reason: 'NotReached' };
  });
  await visit.runExclusive(() => visit.leaveBy(result.delivered ? 'Delivered' : 'Failed', result.reason));
}
