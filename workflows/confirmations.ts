import { type CancellationScope, sleep } from '@temporalio/workflow';
import { createTokenClosedError, checkCode, denyToken, type CodeResult } from '../domain/check-code';
import { type Confirmation, isOpen, type Send } from '../domain/confirmation';
import type { ReplyMeaning } from '../domain/confirmation-settings';
import type { ConfirmationProposal } from '../domain/confirmation-proposal';
import {
  type ReportedDelivery,
  toReportedDelivery,
  expireConfirmations,
  applyDeliveryStatus,
} from '../domain/delivery-status';
import { createDomainError } from '../domain/domain-error';
import { channelInUseError } from '../domain/flows/start-run';
import { applyReply } from '../domain/reply';
import { destinationOf, requestConfirmation } from '../domain/request-confirmation';
import { currentConfirmation, type TransactionState } from '../domain/state';
import { type ConfirmationView, viewConfirmation } from '../domain/views';
import { revertSend } from '../domain/revert-send';
import type { DeliveryStatusReport, ConfirmationReply, TokenAttempt } from './contract';
import { attemptDelivery, confirmationMessageRequest, continueUntilMessageExpires } from './send-message';
import { toFailure, unwrap } from './failures';
import { msUntil, type LiveTransaction, now } from './live-transaction';

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
    live.onChange(() => this.#stopClosedConfirmations());
  }

  /** Restarts the timers and deliveries of a resumed state. */
  resume(): void {
    for (const confirmation of this.live.state.confirmations.filter(isOpen)) {
      this.#watchExpiry(confirmation);
      for (const send of confirmation.sends)
        if (send.state === 'pending') this.#deliverInBackground(confirmation, send);
    }
  }

  checkRequest(proposal: ConfirmationProposal, at = now()): void {
    if (this.#findById(proposal.confirmationId)) return;
    const error = channelInUseError(this.live.state, proposal.settings.channel);
    if (error) throw toFailure(error);
    this.#stateAfterRequest(proposal, at);
  }

  /** Requests a confirmation, or resends the open one. Returns after the first attempt to send. */
  async request(proposal: ConfirmationProposal): Promise<ConfirmationView> {
    const reserved = await this.live.runExclusive(async (at) => {
      this.checkRequest(proposal, at);
      // If a request is repeated after its answer was forgotten, its proposal has the same id. The repeat gets the first confirmation.
      return this.#findById(proposal.confirmationId) ?? this.reserveSend(proposal, at);
    });
    return 'send' in reserved ? this.send(reserved) : viewConfirmation(reserved);
  }

  #stateAfterRequest(proposal: ConfirmationProposal, at: string) {
    return unwrap(requestConfirmation(this.live.state, proposal, at));
  }

  /** Reserves a message. `alsoChange`: a change that is applied with it. Only inside `runExclusive`; call `send` next. */
  reserveSend(
    proposal: ConfirmationProposal,
    at: string,
    alsoChange: (state: TransactionState, confirmation: Confirmation) => TransactionState = (state) => state,
  ): ReservedSend {
    const { state, confirmation, send } = this.#stateAfterRequest(proposal, at);
    this.live.change(alsoChange(state, confirmation));
    this.#watchExpiry(confirmation);
    return { confirmation, send };
  }

  /** Sends a reserved message. If the provider rejects it, the reservation is undone. An unknown outcome continues in the background. */
  async send({ confirmation, send }: ReservedSend): Promise<ConfirmationView> {
    return this.live.keepRunningDuring(async () => {
      const attempt = await attemptDelivery(confirmationMessageRequest(this.live.state, confirmation.id, send.id));
      return this.live.runExclusive(async (at) => {
        if (attempt.status === 'accepted') this.#applyDelivery(send.id, attempt, at);
        if (attempt.status === 'failed')
          this.live.change(revertSend(this.live.state, send.id, attempt.failureReason, at));
        if (attempt.status === 'unknown') this.#deliverInBackground(confirmation, send);
        await this.live.save();
        if (attempt.status === 'failed') throw attempt.error;
        return viewConfirmation(this.#findById(confirmation.id) ?? confirmation);
      });
    });
  }

  checkAnswer({ name, digest }: TokenAttempt): void {
    this.#evaluate(name, digest, now());
  }

  /** Checks a code. */
  async answer({ name, digest }: TokenAttempt, attemptId: string): Promise<CodeResult> {
    return this.live.runExclusive(async (at) => {
      const { state } = this.live;
      const evaluation = this.#evaluate(name, digest, at);
      const token = currentConfirmation(state, name);
      const destination = (token && destinationOf(state, token.settings)) ?? '';
      const attempt = {
        attemptId: `${state.id}/${attemptId}`,
        destination,
        counts: !evaluation.correct,
      };
      const results = { allowed: evaluation, rejected: evaluation.ifDestinationExhausted };
      return (await this.live.saveAttempt(attempt, results)).answer;
    });
  }

  #evaluate(name: string, digest: string, at: string) {
    const result = checkCode(this.live.state, name, digest, at);
    if (result.kind === 'evaluated') return result;
    if (result.kind === 'none')
      throw toFailure(createDomainError('ConfirmationNotFound', 'No token was requested. Request one first.'));
    throw toFailure(createTokenClosedError(result.answer));
  }

  checkReply(reply: ConfirmationReply): void {
    this.#stateAfterReply(reply, now());
  }

  async reply(reply: ConfirmationReply): Promise<{ outcome: ReplyMeaning }> {
    return this.live.runExclusive(async (at) => {
      this.live.change(this.#stateAfterReply(reply, at));
      await this.live.save();
      return { outcome: this.#findById(reply.confirmationId)?.outcome ?? 'no' };
    });
  }

  #stateAfterReply({ confirmationId, reply }: ConfirmationReply, at: string): TransactionState {
    const { state } = this.live;
    const next = 'deny' in reply ? denyToken(state, confirmationId, at) : applyReply(state, confirmationId, reply, at);
    if (!next) throw toFailure(createDomainError('ReplyRefused', 'The reply matches no open confirmation.'));
    return next;
  }

  /** Applies the delivery status of a message. Only inside `runExclusive`. */
  async applyDeliveryStatus({ sendId, status, code }: DeliveryStatusReport, at: string): Promise<void> {
    if (this.#applyDelivery(sendId, toReportedDelivery(status, code), at)) await this.live.save();
  }

  /** Applies a delivery to the state. Returns whether it changed the confirmation. */
  #applyDelivery(sendId: string, delivery: ReportedDelivery, at: string): boolean {
    const next = applyDeliveryStatus(this.live.state, sendId, delivery, at);
    if (next) this.live.change(next);
    return next !== undefined;
  }

  /** Retries until the message is sent, rejected or expired. Stops when the confirmation closes. */
  #deliverInBackground({ id }: Confirmation, send: Send): void {
    const scope = this.#scopes.get(id);
    if (!scope) return;
    const message = confirmationMessageRequest(this.live.state, id, send.id);
    this.live.runInBackground(scope, 'deliver a message', () =>
      this.live.keepRunningDuring(async () => {
        const delivery = await continueUntilMessageExpires(message);
        await this.live.runExclusive(async (at) => {
          this.#applyDelivery(send.id, delivery, at);
          await this.live.save();
        });
      }),
    );
  }

  #findById(id: string): Confirmation | undefined {
    return this.live.state.confirmations.find((confirmation) => confirmation.id === id);
  }

  #watchExpiry({ id, settings, expiresAt }: Confirmation): void {
    if (this.#scopes.has(id)) return;
    const scope = this.live.newScope();
    this.#scopes.set(id, scope);
    this.live.runInBackground(scope, 'expire a confirmation', () =>
      this.#expire(settings.origin ?? settings.name, expiresAt),
    );
  }

  /** Waits until a confirmation expires, then closes it. A code that arrived in time is already in the queue of the lock, so it is checked first. */
  async #expire(origin: string, expiresAt: string): Promise<void> {
    // The clocks of two servers differ slightly: the timer may fire early.
    while (now() < expiresAt) await sleep(msUntil(expiresAt), { summary: `${origin} expires` });
    await this.live.runExclusive(async (at) => {
      const next = expireConfirmations(this.live.state, at);
      if (next === this.live.state) return;
      this.live.change(next);
      await this.live.save();
    });
  }

  /** Stops the timers and deliveries of confirmations that are closed or no longer in the state. */
  #stopClosedConfirmations(): void {
    for (const [id, scope] of this.#scopes) {
      const confirmation = this.#findById(id);
      if (confirmation && isOpen(confirmation)) continue;
      this.#scopes.delete(id);
      scope.cancel();
    }
  }
}
