import { CancellationScope, condition, isCancellation, sleep } from '@temporalio/workflow';
import { answerRefused, answerToken, denyToken, type TokenAnswer } from '../domain/answer';
import { type Confirmation, isOpen } from '../domain/confirmation';
import { type Delivery, deliveryTold, expireDue, messageProgressed } from '../domain/delivery';
import { failure } from '../domain/failures';
import { besideRun } from '../domain/flows/start-run';
import { limits } from '../domain/limits';
import { takeReply } from '../domain/reply';
import type { ConfirmationProposal } from '../domain/confirmation-proposal';
import type { Meaning } from '../domain/confirmation-settings';
import { destinationOf, requestConfirmation } from '../domain/request';
import { current, type TransactionState } from '../domain/state';
import { type ConfirmationView, viewConfirmation } from '../domain/views';
import { withdrawSend } from '../domain/withdraw';
import type { MessageProgress, PersonsReply, TokenToAnswer } from './contract';
import { deliverAtOnce } from './activities';
import { deliverUntilExpiry, messageFor } from './delivery';
import { inMs, type Life, now } from './life';
import { refusal, refusalOf } from './refusal';

/** What runs beside the handlers ends quietly when an operator cancels the transaction: nobody waits for it. */
function unlessCancelled(error: unknown): void {
  if (!isCancellation(error)) throw error;
}

/** All confirmations of one transaction: what handlers do, and the timers and deliveries that run beside them. */
export class Confirmations {
  /** One scope per open confirmation, by its id: the timer and the deliveries that end with it. */
  readonly #scopes = new Map<string, CancellationScope>();
  #deciding = false;
  /** Values that have come and are not decided yet. */
  #undecided = 0;
  /** Deliveries and closings that run beside the handlers. */
  #underWay = 0;

  constructor(private readonly life: Life) {}

  /** Whether something is under way that the workflow may not leave behind. */
  get busy(): boolean {
    return this.#undecided > 0 || this.#underWay > 0;
  }

  /** Takes up the timers and deliveries of a state that was carried over. */
  resume(): void {
    for (const confirmation of this.life.state.confirmations.filter(isOpen)) {
      this.#watchExpiry(confirmation);
      for (const send of confirmation.sends) if (send.state === 'pending') this.#deliver(confirmation.id, send.id);
    }
  }

  checkRequest(proposal: ConfirmationProposal): void {
    if (this.#byId(proposal.confirmationId)) return;
    const refused = besideRun(this.life.state, proposal.flow.channel);
    if (refused) throw refusal(refused);
    const requested = requestConfirmation(this.life.state, proposal, now());
    if ('refused' in requested) throw refusal(requested.refused);
  }

  async request(proposal: ConfirmationProposal): Promise<ConfirmationView> {
    // A key whose answer is no longer remembered proposes the confirmation that it made: there is one of an id.
    const known = this.#byId(proposal.confirmationId);
    if (known) return viewConfirmation(known);
    const refused = besideRun(this.life.state, proposal.flow.channel);
    if (refused) throw refusal(refused);
    return this.ask(proposal, (state) => state);
  }

  /** Asks the person, or asks again; `taken` is what else changes with it. Answers when the message was tried once. */
  async ask(
    proposal: ConfirmationProposal,
    taken: (state: TransactionState, confirmation: Confirmation) => TransactionState,
  ): Promise<ConfirmationView> {
    const requested = requestConfirmation(this.life.state, proposal, now());
    if ('refused' in requested) throw refusal(requested.refused);
    const { state, confirmation, send } = requested;
    this.life.change(taken(state, confirmation));
    this.#watchExpiry(confirmation);
    await this.#sendAtOnce(confirmation, send.id);
    await this.life.save();
    return viewConfirmation(this.#byId(confirmation.id) ?? confirmation);
  }

  checkAnswer({ flow, digest }: TokenToAnswer): void {
    Confirmations.#evaluated(this.life.state, flow, digest, now());
  }

  /** Decides one value after the other, in the order in which they came; each by the instant at which it came. */
  async answer({ flow, digest }: TokenToAnswer, guessId: string): Promise<TokenAnswer> {
    const at = now();
    this.#undecided += 1;
    try {
      // A condition that holds wakes everyone who waits for it, so the question is asked again.
      while (this.#deciding) await condition(() => !this.#deciding);
      this.#deciding = true;
      try {
        return await this.#decide(flow, digest, guessId, at);
      } finally {
        this.#deciding = false;
      }
    } finally {
      this.#undecided -= 1;
    }
  }

  async #decide(flow: string, digest: string, guessId: string, at: string): Promise<TokenAnswer> {
    const { state } = this.life;
    const token = current(state, flow);
    const destination = (token && destinationOf(state, token.flow)) ?? '';
    const budget = { limit: limits.attemptsPerDestination, windowMs: limits.destinationWindowMs };
    const taken = await this.life.chargeGuess(
      { claimId: `${state.id}/${guessId}`, destination, ...budget },
      (known) => {
        const tried = Confirmations.#evaluated(known, flow, digest, at);
        return {
          charge: !tried.right,
          granted: { state: tried.state, answer: tried.answer },
          refused: tried.ifDestinationSpent,
        };
      },
    );
    this.closeWhatIsOver();
    return taken.answer;
  }

  /** The value's evaluation. Throws what is certain to be refused. */
  static #evaluated(state: TransactionState, flow: string, digest: string, at: string) {
    const answered = answerToken(state, flow, digest, at);
    if (answered.kind === 'evaluated') return answered;
    if (answered.kind === 'none') throw refusal(failure('ConfirmationNotFound', 'No token was asked for.'));
    throw refusal(answerRefused(answered.answer));
  }

  checkReply(said: PersonsReply): void {
    if (!this.#replied(said)) throw refusal(failure('ReplyRefused', 'Nothing open awaits this reply.'));
  }

  async reply(said: PersonsReply): Promise<{ outcome: Meaning }> {
    const replied = this.#replied(said);
    if (!replied) throw refusal(failure('ReplyRefused', 'Nothing open awaits this reply.'));
    this.life.change(replied);
    this.#closeIfOver(said.confirmationId);
    await this.life.save();
    return { outcome: this.#byId(said.confirmationId)?.outcome ?? 'no' };
  }

  #replied({ confirmationId, reply }: PersonsReply): TransactionState | undefined {
    const { state } = this.life;
    return 'deny' in reply ? denyToken(state, confirmationId, now()) : takeReply(state, confirmationId, reply, now());
  }

  /** Takes a provider's word on a message. */
  async progress({ sendId, status, code }: MessageProgress): Promise<void> {
    const moved = messageProgressed(this.life.state, sendId, deliveryTold(status, code), now());
    if (!moved) return;
    this.life.change(moved);
    this.#closeIfOver(sendId.slice(0, sendId.lastIndexOf('.')));
    await this.life.save();
  }

  async #sendAtOnce(confirmation: Confirmation, sendId: string): Promise<void> {
    const message = messageFor(this.life.state, confirmation.id, sendId);
    this.#underWay += 1;
    try {
      await deliverAtOnce.executeWithOptions({ summary: message.summary }, [message.input]);
      this.#took(sendId, { status: 'accepted' });
    } catch (error) {
      if (isCancellation(error)) throw error;
      const refused = refusalOf(error);
      if (!refused) return this.#deliver(confirmation.id, sendId);
      this.life.change(withdrawSend(this.life.state, sendId, now()));
      this.#closeIfOver(confirmation.id);
      await this.life.save();
      throw refused;
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Delivers beside everything else, until it is done or of no more use. A value that came back proves the message arrived. */
  #deliver(confirmationId: string, sendId: string): void {
    const scope = this.#scopes.get(confirmationId);
    if (!scope) return;
    const message = messageFor(this.life.state, confirmationId, sendId);
    this.#underWay += 1;
    void scope
      .run(async () => {
        this.#took(sendId, await deliverUntilExpiry(message));
        await CancellationScope.nonCancellable(() => this.life.save());
        this.#closeIfOver(confirmationId);
      })
      .catch(unlessCancelled)
      .finally(() => {
        this.#underWay -= 1;
      });
  }

  #took(sendId: string, delivery: Delivery): void {
    this.life.change(messageProgressed(this.life.state, sendId, delivery, now()) ?? this.life.state);
  }

  #byId(id: string): Confirmation | undefined {
    return this.life.state.confirmations.find((confirmation) => confirmation.id === id);
  }

  #watchExpiry({ id, flow, expiresAt }: Confirmation): void {
    if (this.#scopes.has(id)) return;
    const scope = this.life.newScope();
    this.#scopes.set(id, scope);
    void scope.run(() => this.#expire(flow.asker ?? flow.name, expiresAt)).catch(unlessCancelled);
  }

  async #expire(asker: string, expiresAt: string): Promise<void> {
    // Clocks of two servers may differ by a little: what is not due yet is waited for again.
    while (now() < expiresAt) await sleep(inMs(expiresAt), { summary: `${asker} expires` });
    this.#underWay += 1;
    try {
      // A value that came in time is decided first.
      while (this.#undecided > 0) await condition(() => this.#undecided === 0);
      this.life.change(expireDue(this.life.state, now()));
      await CancellationScope.nonCancellable(() => this.life.save());
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Ends what runs for confirmations that are closed. */
  closeWhatIsOver(): void {
    for (const id of this.#scopes.keys()) this.#closeIfOver(id);
  }

  /** Ends what runs for a confirmation that is closed or was taken back. */
  #closeIfOver(id: string): void {
    const confirmation = this.#byId(id);
    if (confirmation && isOpen(confirmation)) return;
    this.#scopes.get(id)?.cancel();
    this.#scopes.delete(id);
  }
}
