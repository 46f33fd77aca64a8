import { type CancellationScope, sleep } from '@temporalio/workflow';
import {
  checkCode,
  type CodeResult,
  createImpossibleCodeError,
  createTokenClosedError,
  denyToken,
} from '../domain/check-code';
import { type Confirmation, isOpen, type Send } from '../domain/confirmation';
import type { ReplyMeaning } from '../domain/confirmation-settings';
import type { ConfirmationProposal } from '../domain/confirmation-proposal';
import {
  type ReportedStatus,
  toReportedStatus,
  expireConfirmations,
  applyDeliveryStatus,
} from '../domain/delivery-status';
import { createDomainError } from '../domain/domain-error';
import { askError } from '../domain/flows/start-run';
import { applyReply } from '../domain/reply';
import { destinationOf, requestConfirmation } from '../domain/request-confirmation';
import { currentConfirmation, type TransactionState } from '../domain/state';
import { type ConfirmationView, viewConfirmation } from '../domain/views';
import { revertSend } from '../domain/revert-send';
import type { DeliveryStatusReport, ConfirmationReply, TokenAttempt } from './contract';
import type { WithResponse } from './idempotency';
import { attemptDelivery, confirmationMessageRequest, continueUntilMessageExpires } from './send-message';
import { toFailure, unwrap } from './failures';
import { msUntil, type LiveTransaction, now } from './live-transaction';

/**
 * A message that is in the state as a pending send, and is not sent yet. It counts against the limits of its confirmation and transaction.
 */
export interface ReservedSend {
  confirmation: Confirmation;
  send: Send;
}

/** The confirmations of one transaction: their commands, the timers of the open confirmations, and the attempts to send their messages. */
export class Confirmations {
  /** The Temporal scope of each open confirmation, by id. It cancels the timer and the attempts to send messages. */
  readonly #scopes = new Map<string, CancellationScope>();

  constructor(private readonly live: LiveTransaction) {
    live.onChange(() => this.#stopClosedConfirmations());
  }

  /** In a new workflow run, restarts the timers of open confirmations, and the attempts to send their pending messages. */
  resume(): void {
    for (const confirmation of this.live.state.confirmations.filter(isOpen)) {
      this.#watchExpiry(confirmation);
      for (const send of confirmation.sends)
        if (send.state === 'pending') this.#deliverInBackground(confirmation, send);
    }
  }

  /** The precondition of `request`: throws its domain error. */
  checkRequest(proposal: ConfirmationProposal, at = now()): void {
    if (this.#findById(proposal.confirmationId)) return;
    const error = askError(this.live.state, proposal.settings.channel);
    if (error) throw toFailure(error);
    this.#stateAfterRequest(proposal, at);
  }

  /** Requests a confirmation, or resends the open confirmation. Returns after the first attempt to send the message. */
  async request(
    proposal: ConfirmationProposal,
    withResponse: WithResponse<ConfirmationView>,
  ): Promise<ConfirmationView> {
    const reserved = await this.live.runExclusive(async (at) => {
      this.checkRequest(proposal, at);
      // A repeat with the same idempotency key proposes the same id. If the first answer is no longer remembered, the repeat gets the
      // confirmation of the first request.
      return this.#findById(proposal.confirmationId) ?? this.reserveSend(proposal, at);
    });
    return 'send' in reserved ? this.send(reserved, withResponse) : viewConfirmation(reserved);
  }

  #stateAfterRequest(proposal: ConfirmationProposal, at: string) {
    return unwrap(requestConfirmation(this.live.state, proposal, at));
  }

  /**
   * Reserves a message: adds it to the state as a pending send. `alsoChange`: a change of the state that is applied at the same time. Call
   * this only inside `runExclusive`, and call `send` next.
   */
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

  /**
   * Makes one attempt to send a reserved message. If the message is rejected, the reservation is undone. If the outcome is unknown,
   * further attempts follow in the background. `withResponse`: adds the response of the command that requested the message to the record.
   */
  async send(
    { confirmation, send }: ReservedSend,
    withResponse: WithResponse<ConfirmationView> = (state) => state,
  ): Promise<ConfirmationView> {
    return this.live.keepRunningDuring(async () => {
      const attempt = await attemptDelivery(confirmationMessageRequest(this.live.state, confirmation.id, send.id));
      return this.live.runExclusive(async (at) => {
        if (attempt.status === 'accepted') this.#applyDelivery(send.id, attempt, at);
        if (attempt.status === 'failed')
          this.live.change(revertSend(this.live.state, send.id, attempt.failureReason, at));
        if (attempt.status === 'unknown') this.#deliverInBackground(confirmation, send);
        if (attempt.status === 'failed') {
          await this.live.save();
          throw attempt.error;
        }
        const view = viewConfirmation(this.#findById(confirmation.id) ?? confirmation);
        await this.live.save((state) => withResponse(state, view));
        return view;
      });
    });
  }

  /** The precondition of `answer`: throws its domain error. */
  checkAnswer(typed: TokenAttempt): void {
    this.#evaluate(typed, now());
  }

  /** Checks a code. `withAnswer`: adds the response of the command to the state that is saved. */
  async answer(typed: TokenAttempt, attemptId: string, withAnswer: WithResponse<CodeResult>): Promise<CodeResult> {
    return this.live.runExclusive(async (at) => {
      const { state } = this.live;
      const evaluation = this.#evaluate(typed, at);
      const token = currentConfirmation(state, typed.name);
      const destination = (token && destinationOf(state, token.settings)) ?? '';
      const attempt = {
        attemptId: `${state.id}/${attemptId}`,
        destination,
        counts: !evaluation.correct,
      };
      const results = { allowed: evaluation, rejected: evaluation.ifDestinationExhausted };
      const saved = await this.live.saveAttempt(attempt, results, (changed, result) =>
        withAnswer(changed, result.answer),
      );
      return saved.answer;
    });
  }

  #evaluate({ name, digest, digits }: TokenAttempt, at: string) {
    const result = checkCode(this.live.state, name, digest, at, digits);
    if (result.kind === 'evaluated') return result;
    if (result.kind === 'none')
      throw toFailure(createDomainError('ConfirmationNotFound', 'No token was requested. Request one first.'));
    if (result.kind === 'impossible') throw toFailure(createImpossibleCodeError(result.answer));
    throw toFailure(createTokenClosedError(result.answer));
  }

  /** The precondition of `reply`: throws its domain error. */
  checkReply(reply: ConfirmationReply): void {
    this.#stateAfterReply(reply, now());
  }

  /** Applies the person's reply to a question, or the denial of a token. */
  async reply(
    reply: ConfirmationReply,
    withResponse: WithResponse<{ outcome: ReplyMeaning }>,
  ): Promise<{ outcome: ReplyMeaning }> {
    return this.live.runExclusive(async (at) => {
      this.live.change(this.#stateAfterReply(reply, at));
      const response = { outcome: this.#findById(reply.confirmationId)?.outcome ?? 'no' } as const;
      await this.live.save((state) => withResponse(state, response));
      return response;
    });
  }

  #stateAfterReply({ confirmationId, reply }: ConfirmationReply, at: string): TransactionState {
    const { state } = this.live;
    const next = 'deny' in reply ? denyToken(state, confirmationId, at) : applyReply(state, confirmationId, reply, at);
    if (!next) throw toFailure(createDomainError('ReplyRefused', 'The reply matches no open confirmation.'));
    return next;
  }

  /** Applies the delivery status of a message. Call this only inside `runExclusive`. */
  async applyDeliveryStatus({ sendId, status, code }: DeliveryStatusReport, at: string): Promise<void> {
    if (this.#applyDelivery(sendId, toReportedStatus(status, code), at)) await this.live.save();
  }

  /**
   * Applies the result of an attempt to send a message, or a later report of the provider, to the state. Returns whether the confirmation
   * has changed.
   */
  #applyDelivery(sendId: string, delivery: ReportedStatus, at: string): boolean {
    const next = applyDeliveryStatus(this.live.state, sendId, delivery, at);
    if (next) this.live.change(next);
    return next !== undefined;
  }

  /** Tries to send a message again and again, until it is sent, rejected or expired, or until the confirmation closes. */
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

  /**
   * Waits until a confirmation expires, then closes it. If a code arrived in time, its command already waits for the lock, so the code is
   * checked before the confirmation is closed.
   */
  async #expire(origin: string, expiresAt: string): Promise<void> {
    // The clocks of the Temporal server and of the worker differ slightly, so the timer may fire early.
    while (now() < expiresAt) await sleep(msUntil(expiresAt), { summary: `${origin} expires` });
    await this.live.runExclusive(async (at) => {
      const next = expireConfirmations(this.live.state, at);
      if (next === this.live.state) return;
      this.live.change(next);
      await this.live.save();
    });
  }

  /** Stops the timers of confirmations that are closed or no longer in the state, and the attempts to send their messages. */
  #stopClosedConfirmations(): void {
    for (const [id, scope] of this.#scopes) {
      const confirmation = this.#findById(id);
      if (confirmation && isOpen(confirmation)) continue;
      this.#scopes.delete(id);
      scope.cancel();
    }
  }
}
