import { applyDeliveryCheck } from '../../domain/flows/delivery-deadline';
import { originOf } from '../../domain/flows/run';
import { confirmationAwaitedBy } from '../../domain/flows/runs';
import { findDelivery } from '../activities';
import type { RunVisit } from './run-visit';

/**
 * Finds out whether a message of the confirmation for which a step waits has arrived. If none has, the confirmation fails, and the flow run
 * leaves the step by the exit Undelivered.
 */
export async function checkDelivery(visit: RunVisit): Promise<void> {
  const { live, run } = visit;
  const confirmation = confirmationAwaitedBy(live.state, run);
  const sendIds = confirmation?.sends.map(({ id }) => id) ?? [];
  const newestSendId = sendIds.at(-1);
  if (!confirmation || newestSendId === undefined) return;
  const { channel } = confirmation.settings;
  const summary = `${originOf(run)}: find out whether the message has arrived`;
  const { check } = await findDelivery.executeWithOptions({ summary }, [
    { tenant: live.state.tenant, channel, sendIds },
  ]);
  await visit.runExclusive(async () => {
    const current = visit.currentRun();
    const next = current ? applyDeliveryCheck(live.state, current, check, newestSendId) : live.state;
    if (next === live.state) return;
    live.change(next);
    await live.save();
  });
}
