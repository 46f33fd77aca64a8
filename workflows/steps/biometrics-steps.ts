import { condition, uuid4 } from '@temporalio/workflow';
import { startBiometrics } from '../../domain/biometrics/link';
import { decisionDueAt, currentStepOf, stepOf } from '../../domain/flows/run';
import { hashLink } from '../activities';
import type { BiometricsLinks } from '../biometrics-links';
import { inMs, type LiveTransaction, now } from '../live-transaction';
import type { RunVisit } from './run-visit';

/** Steps that ask the person for images, and a reviewer or face verifier for a decision. */
export class BiometricsSteps {
  constructor(
    private readonly live: LiveTransaction,
    private readonly links: BiometricsLinks,
  ) {}

  /** Creates the link of the step and sends it. */
  async start(visit: RunVisit): Promise<void> {
    const { run } = visit;
    const planned = run.plan.links[stepOf(run)];
    if (!planned) throw new Error(`Run ${run.id} has no link for ${stepOf(run)}: this is a bug.`);
    const created = await visit.exclusive(async () => {
      const biometricsId = uuid4();
      const { tenant, id: transactionId } = this.live.state;
      const summary = `${currentStepOf(run)}: create the link`;
      const { tokenHash } = await hashLink.executeWithOptions({ summary }, [{ tenant, transactionId, biometricsId }]);
      const proposal = { ...planned, biometricsId, tokenHash };
      const started = startBiometrics(this.live.state, proposal, now());
      if ('error' in started) return visit.leaveByError(started.error, 'Canceled');
      return { proposal, link: await this.links.create(proposal, visit.awaiting({ biometricsId })) };
    });
    if (created) await this.links.send(created.link, created.proposal);
  }

  /** Waits for the images, then for the decision on them. The time limit for the decision starts with the images. */
  async awaitDecision(visit: RunVisit, biometricsId: string): Promise<void> {
    const submittedAt = () => this.live.state.biometrics?.find(({ id }) => id === biometricsId)?.submittedAt;
    await condition(() => !visit.current() || submittedAt() !== undefined);
    const submitted = submittedAt();
    if (!visit.current() || submitted === undefined) return;
    const summary = `${currentStepOf(visit.run)}: the time for a decision on the images ends`;
    const leftMs = inMs(decisionDueAt(visit.run, submitted));
    const decided = await condition(() => !visit.current(), leftMs, { summary });
    if (!decided) await visit.exclusive(() => visit.leaveBy('Undecided'));
  }
}
