import { ApplicationFailure, isCancellation, uuid4 } from '@temporalio/workflow';
import { isDue } from '../../domain/confirmation';
import { failure } from '../../domain/failures';
import { type FlowRun, isRunning, placeOf, type Running, stepOf } from '../../domain/flows/run';
import { askedBy } from '../../domain/flows/runs';
import { requestConfirmation } from '../../domain/request';
import { digestCode } from '../activities';
import type { Confirmations } from '../confirmations';
import { type Life, now } from '../life';
import { faultIn, refusal } from '../refusal';
import type { StepMoves } from './step-moves';

/** Steps that ask the person for a code or an answer. */
export class ConfirmSteps {
  readonly #life: Life;

  constructor(
    private readonly moves: StepMoves,
    private readonly confirmations: Confirmations,
  ) {
    this.#life = moves.life;
  }

  /** Sends the first message of a step. */
  async begin(run: Running): Promise<void> {
    const known = run.path.length === 1 ? run.plan.first : undefined;
    const proposed = await this.#proposalOf(run, known);
    if (!this.moves.same(run)) return;
    const tried = requestConfirmation(this.#life.state, proposed, now());
    if ('refused' in tried) return this.moves.refused(run, tried.refused, 'Failed');
    try {
      await this.confirmations.ask(proposed, this.moves.awaiting(run, { confirmationId: proposed.confirmationId }));
    } catch (error) {
      if (isCancellation(error) || !(error instanceof ApplicationFailure)) throw error;
      await this.moves.leaveBy(run, 'Failed', faultIn(error));
    }
  }

  /** Throws the refusal of sending the message of a step once more. */
  checkAgain(run: FlowRun): void {
    const asked = askedBy(this.#life.state, run);
    // What is due is over, even when its timer has not told yet: asking again would be asking anew.
    if (!asked || isDue(asked, now()))
      throw refusal(failure('NothingToAnswer', 'The run waits for no answer to a message.'));
    const proposal = run.plan?.confirmations[stepOf(run)];
    const tried = proposal && requestConfirmation(this.#life.state, { ...proposal, confirmationId: 'next' }, now());
    if (tried && 'refused' in tried) throw refusal(tried.refused);
  }

  /** Sends the message of a step that waits once more. */
  async askAgain(run: FlowRun): Promise<void> {
    this.checkAgain(run);
    if (!isRunning(run)) return;
    const proposed = await this.#proposalOf(run);
    const before = this.moves.same(run);
    if (!before) throw refusal(failure('RunOver', 'The run has moved on.'));
    this.checkAgain(before);
    try {
      await this.confirmations.ask(proposed, (state, confirmation) =>
        this.moves.awaiting(run, { confirmationId: confirmation.id })(state),
      );
    } catch (error) {
      await this.#awaitAgain(before);
      throw error;
    }
  }

  /** When a new code was taken back because its message was refused, the one before it is awaited again. */
  async #awaitAgain(before: Running): Promise<void> {
    const known = this.moves.same(before);
    if (!known || !before.awaiting || askedBy(this.#life.state, known)) return;
    this.#life.change(this.moves.awaiting(before, before.awaiting)(this.#life.state));
    await this.#life.save();
  }

  async #proposalOf(run: Running, known?: { confirmationId: string; digest: string }) {
    const proposal = run.plan.confirmations[stepOf(run)];
    if (!proposal) throw new Error(`Run ${run.id} has no proposal for ${stepOf(run)}.`);
    if (known) return { ...proposal, ...known };
    const confirmationId = uuid4();
    if (proposal.flow.kind !== 'token') return { ...proposal, confirmationId };
    const { name, codeDigits = 6 } = proposal.flow;
    const asked = { transactionId: this.#life.state.id, confirmationId, name, codeDigits };
    const summary = `${placeOf(run)}: make a code`;
    const { digest } = await this.#life.alone(() => digestCode.executeWithOptions({ summary }, [asked]));
    return { ...proposal, confirmationId, digest };
  }
}
