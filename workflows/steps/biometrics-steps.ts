import { condition, uuid4 } from '@temporalio/workflow';
import { startBiometrics } from '../../domain/biometrics/link';
import { decisionDueAt, placeOf, type Running, stepOf } from '../../domain/flows/run';
import { hashLink } from '../activities';
import type { BiometricsLinks } from '../biometrics';
import { inMs, type Life, now } from '../life';
import type { StepMoves } from './step-moves';

/** Steps that ask the person for pictures, and a reviewer or verifier for a decision. */
export class BiometricsSteps {
  readonly #life: Life;

  constructor(
    private readonly moves: StepMoves,
    private readonly links: BiometricsLinks,
  ) {
    this.#life = moves.life;
  }

  async begin(run: Running): Promise<void> {
    const proposal = run.plan.links[stepOf(run)];
    if (!proposal) throw new Error(`Run ${run.id} has no link for ${stepOf(run)}.`);
    const biometricsId = uuid4();
    const { tenant, id: transactionId } = this.#life.state;
    const asked = { tenant, transactionId, biometricsId };
    const summary = `${placeOf(run)}: make the link`;
    const { tokenHash } = await this.#life.alone(() => hashLink.executeWithOptions({ summary }, [asked]));
    if (!this.moves.same(run)) return;
    const proposed = { ...proposal, biometricsId, tokenHash };
    const tried = startBiometrics(this.#life.state, proposed, now());
    if ('refused' in tried) return this.moves.refused(run, tried.refused, 'Canceled');
    await this.links.ask(proposed, this.moves.awaiting(run, { biometricsId }));
  }

  /** From the pictures on, the step has its own time for a decision. */
  async awaitDecision(run: Running, biometricsId: string): Promise<void> {
    const submittedAt = () => this.#life.state.biometrics?.find(({ id }) => id === biometricsId)?.submittedAt;
    await condition(() => !this.moves.same(run) || submittedAt() !== undefined);
    const since = submittedAt();
    if (!this.moves.same(run) || since === undefined) return;
    const summary = `${placeOf(run)}: a decision on the pictures is due`;
    const leftMs = inMs(decisionDueAt(run, since));
    if (!(await condition(() => !this.moves.same(run), leftMs, { summary })))
      await this.moves.leaveBy(run, 'Undecided');
  }
}
