import { condition, uuid4 } from '@temporalio/workflow';
import { createLink } from '../../domain/biometrics/link';
import { decisionDueAt, originOf, currentStepName } from '../../domain/flows/run';
import { hashLink } from '../activities';
import type { BiometricsLinks } from '../biometrics-links';
import { msUntil, type LiveTransaction } from '../live-transaction';
import type { RunVisit } from './run-visit';

/** Executes biometrics steps: they ask the person for images, and wait for the decision. */
export class BiometricsSteps {
  constructor(
    private readonly live: LiveTransaction,
    private readonly links: BiometricsLinks,
  ) {}

  /** Creates the link of the step and sends it. */
  async start(visit: RunVisit): Promise<void> {
    const { run } = visit;
    const plannedLink = run.plan.links[currentStepName(run)];
    if (!plannedLink) throw new Error(`Flow run ${run.id} has no link for ${currentStepName(run)}: this is a bug.`);
    const created = await visit.runExclusive(async (at) => {
      const biometricsId = uuid4();
      const { tenant, id: transactionId } = this.live.state;
      const summary = `${originOf(run)}: create the link`;
      const { tokenHash } = await hashLink.executeWithOptions({ summary }, [{ tenant, transactionId, biometricsId }]);
      const proposal = { ...plannedLink, biometricsId, tokenHash };
      const result = createLink(this.live.state, proposal, at);
      // If a pause between messages is not over, the step starts again after the pause. Any other error ends the step.
      if ('error' in result) return visit.leaveOrWait(result.error, 'Canceled', at);
      return this.links.create({ ...result, state: visit.changeToAwaiting({ biometricsId })(result.state) });
    });
    if (created) await this.links.send(created);
  }

  /** Waits for the images, then for the decision on them. The time limit for the decision starts when the images are submitted. */
  async awaitDecision(visit: RunVisit, biometricsId: string): Promise<void> {
    const submittedAt = () => this.live.state.biometrics?.find(({ id }) => id === biometricsId)?.submittedAt;
    await condition(() => !visit.currentRun() || submittedAt() !== undefined);
    const submitted = submittedAt();
    if (!visit.currentRun() || submitted === undefined) return;
    const summary = `${originOf(visit.run)}: the time for a decision on the images ends`;
    const remainingMs = msUntil(decisionDueAt(visit.run, submitted));
    const hasLeftStep = await condition(() => !visit.currentRun(), remainingMs, { summary });
    if (!hasLeftStep) await visit.runExclusive((at) => visit.leaveBy('Undecided', at));
  }
}
