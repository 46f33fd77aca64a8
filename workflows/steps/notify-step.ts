import { isCancellation } from '@temporalio/workflow';
import { notifiedKey } from '../../domain/events/events-of';
import type { NotifyStep } from '../../domain/flows/definition';
import { givesUpAt, originOf } from '../../domain/flows/run';
import { checkNotification, checkRetryPolicy } from '../activities';
import { msUntil } from '../live-transaction';
import type { RunVisit } from './run-visit';

/**
 * First saves the record of the transaction, which also saves the event of the step. Then calls `markStarted`. Then waits until a webhook
 * of the caller accepts the event. Leaves the step by the exit Delivered, or by Failed if no webhook accepts the event.
 */
export async function notifyStep(visit: RunVisit, step: NotifyStep, markStarted: () => void): Promise<void> {
  const { live, run } = visit;
  await visit.runExclusive(() => live.save());
  markStarted();
  const { tenant, id: transactionId } = live.state;
  const event = { tenant, transactionId, key: notifiedKey(run.id, run.path.length) };
  const options = {
    scheduleToCloseTimeout: Math.max(1_000, msUntil(givesUpAt(run, step))),
    retry: checkRetryPolicy(step.giveUpAfterSeconds * 1_000),
    summary: `${originOf(run)}: wait until a webhook accepts ${step.event}`,
  };
  const result = await checkNotification.executeWithOptions(options, [event]).catch((error: unknown) => {
    if (isCancellation(error)) throw error;
    return { delivered: false, reason: 'NotReached' };
  });
  await visit.runExclusive((at) => visit.leaveBy(result.delivered ? 'Delivered' : 'Failed', at, result.reason));
}
