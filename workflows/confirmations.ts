import { type CancellationScope, sleep } from '@temporalio/workflow';
import { tokenClosedError, answerToken, denyToken, type TokenAnswer } from '../domain/token-answer';
import { type Confirmation, isOpen, type Send } from '../domain/confirmation';
import type { Meaning } from '../domain/confirmation-settings';
import type { ConfirmationProposal } from '../domain/confirmation-proposal';
import { type Delivery, toDelivery, expireDue, applyDeliveryStatus } from '../domain/delivery-status';
import { createDomainError } from '../domain/domain-error';
import { channelInUseError } from '../domain/flows/start-run';
import { limits } from '../domain/limits';
import { applyReply } from '../domain/reply';
import { destinationOf, requestConfirmation } from '../domain/request-confirmation';
import { currentConfirmation, type TransactionState } from '../domain/state';
import { type ConfirmationView, viewConfirmation } from '../domain/views';
import { revertSend } from '../domain/revert-send';
import type { MessageProgress, PersonsReply, TokenToAnswer } from './contract';
import { attemptDelivery, messageFor, redeliverUntilExpiry } from './delivery';
import { domainError, unwrap } from './domain-errors';
import { inMs, type LiveTransaction, now } from './live-transaction';

/** A message that counts against the limits and is not sent yet. */
export interface ReservedSend {
  confirmation: Confirmation;
  send: Send;
}

/** The confirmations of one transaction: their commands, and the timers and deliveries of those that are open. */
export class Confirmations {
  /** By id of an open confirmation: the scope of its timer and its deliveries. */
  readonly #scopes = new Map<string, CancellationScope>();

  constructor(private readonly live: LiveTransaction) {
    live.onChange(() => this.#stopClosed());
  }

  /** Restarts the timers and deliveries of a resumed state. */
  resume(): void {
    for (const confirmation of this.live.state.confirmations.filter(isOpen)) {
      this.#watchExpiry(confirmation);
      for (const send of confirmation.sends)
        if (send.state === 'pending') this.#deliverInBackground(confirmation, send);
    }
  }

  checkRequest(proposal: ConfirmationProposal): void {
    if (this.#byId(proposal.confirmationId)) return;
    const error = channelInUseError(this.live.state, proposal.settings.channel);
    if (error) throw domainError(error);
    this.#start(proposal);
  }

  /** Requests a confirmation, or resends the open one. Returns after the first attempt to send. */
  async request(proposal: ConfirmationProposal): Promise<ConfirmationView> {
    const reserved = await this.live.exclusive(async () => {
      this.checkRequest(proposal);
      // A repeat whose answer is no longer remembered proposes the same id: it gets the confirmation of the first request.
      return this.#byId(proposal.confirmationId) ?? this.reserve(proposal);
    });
    return 'send' in reserved ? this.send(reserved) : viewConfirmation(reserved);
  }

  #start(proposal: ConfirmationProposal) {
    return unwrap(requestConfirmation(this.live.state, proposal, now()));
  }

  /** Reserves a message, together with the change `and`. Only inside `exclusive`; call `send` next. */
  reserve(
    proposal: ConfirmationProposal,
    and: (state: TransactionState, confirmation: Confirmation) => TransactionState = (state) => state,
  ): ReservedSend {
    const { state, confirmation, send } = this.#start(proposal);
    this.live.change(and(state, confirmation));
    this.#watchExpiry(confirmation);
    return { confirmation, send };
  }

  /** Sends a reserved message. If the provider rejects it, the reservation is undone. An unknown outcome continues in the background. */
  async send({ confirmation, send }: ReservedSend): Promise<ConfirmationView> {
    return this.live.track(async () => {
      const attempt = await attemptDelivery(messageFor(this.live.state, confirmation.id, send.id));
      return this.live.exclusive(async () => {
        if (attempt.status === 'accepted') this.#applyDelivery(send.id, attempt);
        if (attempt.status === 'failed')
          this.live.change(revertSend(this.live.state, send.id, attempt.failureReason, now()));
        if (attempt.status === 'unknown') this.#deliverInBackground(confirmation, send);
        await this.live.save();
        if (attempt.status === 'failed') throw attempt.error;
        return viewConfirmation(this.#byId(confirmation.id) ?? confirmation);
      });
    });
  }

  checkAnswer({ name, digest }: TokenToAnswer): void {
    this.#evaluate(name, digest, now());
  }

  /** Checks a code. Its time is the moment at which it arrived, however long it waits for the lock. */
  async answer({ name, digest }: TokenToAnswer, attemptId: string): Promise<TokenAnswer> {
    const at = now();
    return this.live.exclusive(async () => {
      const { state } = this.live;
      const evaluated = this.#evaluate(name, digest, at);
      const token = currentConfirmation(state, name);
      const destination = (token && destinationOf(state, token.settings)) ?? '';
      const claim = {
        claimId: `${state.id}/${attemptId}`,
        destination,
        charge: !evaluated.correct,
        limit: limits.attemptsPerDestination,
        windowMs: limits.destinationWindowMs,
      };
      const outcomes = { granted: evaluated, rejected: evaluated.ifDestinationExhausted };
      return (await this.live.saveAttempt(claim, outcomes)).answer;
    });
  }

  #evaluate(name: string, digest: string, at: string) {
    const answered = answerToken(this.live.state, name, digest, at);
    if (answered.kind === 'evaluated') return answered;
    if (answered.kind === 'none')
      throw domainError(createDomainError('ConfirmationNotFound', 'No token was requested. Request one first.'));
    throw domainError(tokenClosedError(answered.answer));
  }

  checkReply(reply: PersonsReply): void {
    this.#applyReply(reply);
  }

  async reply(reply: PersonsReply): Promise<{ outcome: Meaning }> {
    return this.live.exclusive(async () => {
      this.live.change(this.#applyReply(reply));
      await this.live.save();
      return { outcome: this.#byId(reply.confirmationId)?.outcome ?? 'no' };
    });
  }

  #applyReply({ confirmationId, reply }: PersonsReply): TransactionState {
    const { state } = this.live;
    const next =
      'deny' in reply ? denyToken(state, confirmationId, now()) : applyReply(state, confirmationId, reply, now());
    if (!next) throw domainError(createDomainError('ReplyRefused', 'The reply matches no open confirmation.'));
    return next;
  }

  /** Applies the delivery status of a message. Only inside `exclusive`. */
  async applyDeliveryStatus({ sendId, status, code }: MessageProgress): Promise<void> {
    if (this.#applyDelivery(sendId, toDelivery(status, code))) await this.live.save();
  }

  /** Whether the delivery changed the confirmation. */
  #applyDelivery(sendId: string, delivery: Delivery): boolean {
    const next = applyDeliveryStatus(this.live.state, sendId, delivery, now());
    if (next) this.live.change(next);
    return next !== undefined;
  }

  /** Retries until the message is sent, rejected or expired. It stops when the confirmation closes: a code that came back has arrived. */
  #deliverInBackground({ id }: Confirmation, send: Send): void {
    const scope = this.#scopes.get(id);
    if (!scope) return;
    const message = messageFor(this.live.state, id, send.id);
    this.live.inBackground(scope, 'deliver a message', () =>
      this.live.track(async () => {
        const delivery = await redeliverUntilExpiry(message);
        await this.live.exclusive(async () => {
          this.#applyDelivery(send.id, delivery);
          await this.live.save();
        });
      }),
    );
  }

  #byId(id: string): Confirmation | undefined {
    return this.live.state.confirmations.find((confirmation) => confirmation.id === id);
  }

  #watchExpiry({ id, settings, expiresAt }: Confirmation): void {
    if (this.#scopes.has(id)) return;
    const scope = this.live.newScope();
    this.#scopes.set(id, scope);
    this.live.inBackground(scope, 'expire a confirmation', () =>
      this.#expire(settings.origin ?? settings.name, expiresAt),
    );
  }

  /** A code that arrived in time already waits for the lock, so it is checked before the expiry. */
  async #expire(origin: string, expiresAt: string): Promise<void> {
    // The clocks of two servers differ slightly: the timer may fire early.
    while (now() < expiresAt) await sleep(inMs(expiresAt), { summary: `${origin} expires` });
    await this.live.exclusive(async () => {
      const next = expireDue(this.live.state, now());
      if (next === this.live.state) return;
      this.live.change(next);
      await this.live.save();
    });
  }

  /** Stops the work for confirmations that are closed or withdrawn. */
  #stopClosed(): void {
    for (const [id, scope] of this.#scopes) {
      const confirmation = this.#byId(id);
      if (confirmation && isOpen(confirmation)) continue;
      this.#scopes.delete(id);
      scope.cancel();
    }
  }
}
