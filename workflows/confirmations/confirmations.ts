import { type CancellationScope, sleep } from '@temporalio/workflow';
import type { CodeResult } from '../../domain/confirmations/check-code';
import type { ConfirmationReply, DecidedAttempt } from '../../domain/confirmations/commands';
import { type Confirmation, isOpen, type Send } from '../../domain/confirmations/confirmation';
import type { ReplyMeaning } from '../../domain/confirmations/settings';
import {
  type ReportedStatus,
  toReportedStatus,
  expireConfirmations,
  applyDeliveryStatus,
} from '../../domain/confirmations/delivery';
import { type RequestedSend, revertSend } from '../../domain/confirmations/send';
import type { TransactionState } from '../../domain/transactions/state';
import { type ConfirmationView, viewConfirmation } from '../../domain/transactions/views';
import type { DeliveryStatusReport } from '../contract/commands';
import type { WithResponse } from '../idempotency';
import { attemptDelivery, confirmationMessageRequest, continueUntilMessageExpires } from './send-message';
import { msUntil, type LiveTransaction, now } from '../live-transaction';

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

  /** Saves a decided message in the state as a pending send. Call this only inside `runExclusive`, and call `send` next. */
  reserve({ state, confirmation, send }: RequestedSend): ReservedSend {
    this.live.change(state);
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
      const message = confirmationMessageRequest(this.live.state, confirmation.id, send.id);
      const attempt = await attemptDelivery(this.live, message);
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

  /**
   * Counts a decided attempt at a code and saves its outcome. `updateId`: the attempt counts once, even if the workflow gets the same update
   * again. `withAnswer`: adds the response of the command to the state that is saved. Call this only inside `runExclusive`.
   */
  saveAttempt(
    { isCorrect, destination, outcomes }: DecidedAttempt,
    updateId: string,
    withAnswer: WithResponse<CodeResult>,
  ): Promise<CodeResult> {
    const attempt = { attemptId: `${this.live.state.id}/${updateId}`, destination, counts: !isCorrect };
    return this.live.saveAttempt(attempt, outcomes, withAnswer);
  }

  /** Saves the state after the person's reply to a question, or after the denial of a token. Call this only inside `runExclusive`. */
  async reply(
    state: TransactionState,
    { confirmationId }: ConfirmationReply,
    withResponse: WithResponse<{ outcome: ReplyMeaning }>,
  ): Promise<{ outcome: ReplyMeaning }> {
    this.live.change(state);
    const response = { outcome: this.#findById(confirmationId)?.outcome ?? 'no' } as const;
    await this.live.save((changed) => withResponse(changed, response));
    return response;
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
    this.live.background.run(scope, 'deliver a message', () =>
      this.live.background.keepOpenDuring(async () => {
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
    const scope = this.live.background.newScope();
    this.#scopes.set(id, scope);
    this.live.background.run(scope, 'expire a confirmation', () =>
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
