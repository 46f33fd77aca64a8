import { uuid4 } from '@temporalio/workflow';
import { createLink } from '../../domain/biometrics/link';
import { currentStepName, originOf } from '../../domain/flows/run';
import { hashLink } from '../activities';
import type { BiometricsLinks } from '../biometrics-links';
import type { RunVisit } from './run-visit';

/** Creates the link of a biometrics step and sends it. If a pause between messages is not over, the flow run waits for its end. */
export async function linkStep(visit: RunVisit, links: BiometricsLinks): Promise<void> {
  const { live, run } = visit;
  const plannedLink = run.plan.links[currentStepName(run)];
  if (!plannedLink) throw new Error(`Flow run ${run.id} has no link for ${currentStepName(run)}: this is a bug.`);
  const created = await visit.runExclusive(async (at) => {
    const biometricsId = uuid4();
    const { tenant, id: transactionId } = live.state;
    const summary = `${originOf(run)}: create the link`;
    const { tokenHash } = await hashLink.executeWithOptions({ summary }, [{ tenant, transactionId, biometricsId }]);
    const result = createLink(live.state, { ...plannedLink, biometricsId, tokenHash }, at);
    if ('error' in result) return visit.leaveOrWait(result.error, 'Canceled', at);
    return links.create({ ...result, state: visit.changeToAwaiting({ biometricsId })(result.state) });
  });
  if (created) await links.send(created);
}
