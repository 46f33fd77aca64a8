import { isCancellation } from '@temporalio/workflow';
import type { NotifyStep } from '../../domain/flows/definition';
import { placeOf, type Running, stepOf } from '../../domain/flows/run';
import { later } from '../../domain/later';
import { notifyCaller, noticeRetry } from '../activities';
import { inMs, now } from '../life';
import type { StepMoves } from './step-moves';

/**
 * Tells the caller, and leaves the step by what became of it. Nothing is lost when the run of the workflow ends meanwhile:
 * the next tells the caller again, under the same id.
 */
export async function notifyStep(moves: StepMoves, run: Running, step: NotifyStep): Promise<void> {
  await moves.life.save();
  moves.markBegun(run);
  const { tenant, id: transactionId } = moves.life.state;
  const name = stepOf(run);
  const event = {
    id: `${run.id}.${run.path.length}`,
    tenant,
    transactionId,
    type: step.event,
    at: run.path.at(-1)?.enteredAt ?? now(),
    data: { runId: run.id, flow: run.flow, version: run.version, step: name },
  };
  const summary = `${placeOf(run)}: tell the caller ${step.event}`;
  try {
    const givenMs = step.giveUpAfterSeconds * 1_000;
    const scheduleToCloseTimeout = Math.max(1_000, inMs(later(event.at, givenMs)));
    const options = { scheduleToCloseTimeout, retry: noticeRetry(givenMs), summary };
    const told = await notifyCaller.executeWithOptions(options, [event]);
    await moves.leaveBy(run, told.delivered ? 'Delivered' : 'Failed', told.reason);
  } catch (error) {
    if (isCancellation(error)) throw error;
    await moves.leaveBy(run, 'Failed', 'NotReached');
  }
}
