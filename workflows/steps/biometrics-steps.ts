import { condition, uuid4 } from '@temporalio/workflow';
import { startBiometrics } from '../../domain/biometrics/link';
import { decisionDueAt, placeOf, stepOf } from '../../domain/flows/run';
import { hashLink } from '../activities';
import type { BiometricsLinks } from '../biometrics';
import { inMs, type LiveTransaction, now } from '../live-transaction';
import type { RunVisit } from './run-visit';

/** Steps that ask the person for images, and a reviewer or verifier for a decision. */
export class BiometricsSteps {
  constructor(
    private readonly live: LiveTransaction,
    private readonly links: BiometricsLinks,
  ) {}

  async begin(visit: RunVisit): Promise<void> {
    const { run } = visit;
    const planned = run.plan.links[stepOf(run)];
    if (!planned) throw new Error(`Run ${run.id} has no link for ${stepOf(run)}.`);
    const created = await visit.exclusive(async () => {
      const biometricsId = uuid4();
      const { tenant, id: transactionId } = this.live.state;
      const summary = `${placeOf(run)}: make the link`;
      const { tokenHash } = await hashLink.executeWithOptions({ summary }, [{ tenant, transactionId, biometricsId }]);
      const proposal = { ...planned, biometricsId, tokenHash };
      const started = startBiometrics(this.live.state, proposal, now());
      if ('error' in started) return visit.leaveByError(started.error, 'Canceled');
      return { proposal, link: await this.links.create(proposal, visit.awaiting({ biometricsId })) };
    });
    if (created) await this.links.send(created.link, created.proposal);
  }

  /** From the images on, the step has its own time for a decision. */
  async awaitDecision(visit: RunVisit, biometricsId: string): Promise<void> {
    const submittedAt = () => this.live.state.biometrics?.find(({ id }) => id === biometricsId)?.submittedAt;
    await condition(() => !visit.current() || submittedAt() !== undefined);
    const since = submittedAt();
    if (!visit.current() || since === undefined) return;
    const summary = `${placeOf(visit.run)}: a decision on the images is due`;
    const leftMs = inMs(decisionDueAt(visit.run, since));
    const moved = await condition(() => !visit.current(), leftMs, { summary });
    if (!moved) await visit.exclusive(() => visit.leaveBy('Undecided'));
  }
}
