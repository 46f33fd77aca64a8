import { type CancellationScope, sleep } from '@temporalio/workflow';
import { type Biometrics, isOpenLink, type LinkSend } from '../domain/biometrics/biometrics';
import { applyPageAction } from '../domain/biometrics/capture';
import type { BiometricsProposal } from '../domain/biometrics/link-proposal';
import { currentLink, expireLink, applyLinkDelivery, createLink } from '../domain/biometrics/link';
import { toReportedStatus, type SendResult } from '../domain/delivery-status';
import { askError } from '../domain/flows/start-run';
import type { TransactionState } from '../domain/state';
import type { BiometricsReview } from './biometrics-review';
import type { LinkAction, DeliveryStatusReport } from './contract';
import { attemptDelivery, linkMessageRequest, type MessageRequest, continueUntilMessageExpires } from './send-message';
import { toFailure, unwrap } from './failures';
import { msUntil, type LiveTransaction, now } from './live-transaction';

/**
 * The biometrics links of one transaction: the requests for them, their messages, the actions of the person, and the expiry of the open
 * link.
 */
export class BiometricsLinks {
  /** The open link. `scope`: a Temporal scope that cancels its timer and the attempts to send it. */
  #openLink: { id: string; scope: CancellationScope } | undefined;
  /** The ids of the links whose messages this workflow run has begun to send. */
  readonly #sentLinkIds = new Set<string>();

  constructor(
    private readonly live: LiveTransaction,
    private readonly review: BiometricsReview,
  ) {
    live.onChange(() => this.#stopClosedLink());
  }

  /**
   * In a new workflow run, starts the expiry timer of the open link again. Attempts to send the link are not started again: the previous
   * workflow run ended only after all its attempts. Attempts are lost only if the workflow was terminated.
   */
  resume(): void {
    this.#watchExpiry();
  }

  #findById(id: string): Biometrics | undefined {
    return this.live.state.biometrics?.find((link) => link.id === id);
  }

  /** The precondition of `request`: throws its domain error. */
  checkRequest(proposal: BiometricsProposal, at = now()): void {
    if (this.#findById(proposal.biometricsId)) return;
    const error = askError(this.live.state, 'biometrics');
    if (error) throw toFailure(error);
    this.#stateAfterRequest(proposal, at);
  }

  /** Creates and sends a link. Cancels the link that is open, if any. Returns after the first attempt to send each message. */
  async request(proposal: BiometricsProposal): Promise<Biometrics> {
    const { link, isNew } = await this.live.runExclusive(async (at) => {
      this.checkRequest(proposal, at);
      // A repeat with the same idempotency key proposes the same link id. If the first answer is no longer remembered, the repeat gets the
      // link of the first request.
      const existing = this.#findById(proposal.biometricsId);
      return existing ? { link: existing, isNew: false } : { link: await this.create(proposal, at), isNew: true };
    });
    return isNew || this.needsSending(link) ? this.send(link, proposal) : link;
  }

  #stateAfterRequest(proposal: BiometricsProposal, at: string) {
    return unwrap(createLink(this.live.state, proposal, at));
  }

  /**
   * Creates a link and saves it. `alsoChange`: a change of the state that is saved with the link. Call this only inside `runExclusive`,
   * and call `send` next.
   */
  async create(
    proposal: BiometricsProposal,
    at: string,
    alsoChange: (state: TransactionState) => TransactionState = (state) => state,
  ): Promise<Biometrics> {
    const { state, biometrics } = this.#stateAfterRequest(proposal, at);
    this.live.change(alsoChange(state));
    this.#watchExpiry();
    // The person may open the link as soon as the message arrives. So the record must have the link before the message is sent.
    await this.live.save();
    return biometrics;
  }

  /** Whether a link was saved by an earlier workflow run that ended before it sent the messages, for example because its worker died. */
  needsSending(link: Biometrics): boolean {
    return isOpenLink(link) && !this.#sentLinkIds.has(link.id) && link.sends.some(({ state }) => state === 'pending');
  }

  /** Makes one attempt to send each message of a link. If an outcome is unknown, further attempts follow in the background. */
  async send(link: Biometrics, proposal: BiometricsProposal): Promise<Biometrics> {
    if (link.sends.length === 0) return link;
    this.#sentLinkIds.add(link.id);
    return this.live.keepRunningDuring(async () => {
      const attempts = await Promise.all(
        link.sends.map(async (send) => {
          const message = linkMessageRequest(this.live.state, link, send, proposal);
          return { send, message, attempt: await attemptDelivery(message) };
        }),
      );
      return this.live.runExclusive(async () => {
        for (const { send, message, attempt } of attempts) {
          if (attempt.status === 'unknown') this.#sendInBackground(link, send, message);
          else this.#applyDelivery(send.id, attempt);
        }
        await this.live.save();
        return this.#findById(link.id) ?? link;
      });
    });
  }

  #sendInBackground({ id }: Biometrics, send: LinkSend, message: MessageRequest): void {
    if (this.#openLink?.id !== id) return;
    this.live.runInBackground(this.#openLink.scope, 'deliver a link', () =>
      this.live.keepRunningDuring(async () => {
        const delivery = await continueUntilMessageExpires(message);
        await this.live.runExclusive(async () => {
          this.#applyDelivery(send.id, delivery);
          await this.live.save();
        });
      }),
    );
  }

  /**
   * Applies the result of an attempt to send a message, or a later report of the provider, to the state. Returns whether the link has
   * changed.
   */
  #applyDelivery(sendId: string, delivery: SendResult, source: 'attempt' | 'report' = 'attempt'): boolean {
    const next = applyLinkDelivery(this.live.state, sendId, delivery, source);
    if (next) this.live.change(next);
    return next !== undefined;
  }

  /** Applies the delivery status of a message with a link. Call this only inside `runExclusive`. */
  async applyDeliveryStatus({ sendId, status, code }: DeliveryStatusReport): Promise<void> {
    // The API reports only `sent` or `failed` for a link, and a link records only `accepted` or `failed`. So `sent` counts as `accepted`.
    const delivery = toReportedStatus(status === 'failed' ? 'failed' : 'accepted', code);
    if (this.#applyDelivery(sendId, delivery, 'report')) await this.live.save();
  }

  /** The precondition of `applyPageAction`: throws its domain error. */
  checkPageAction(action: LinkAction): void {
    this.#stateAfterAction(action, now());
  }

  /** Applies what the person did on the hosted page. */
  async applyPageAction(action: LinkAction): Promise<Biometrics> {
    return this.live.runExclusive(async (at) => {
      const { state, biometrics } = this.#stateAfterAction(action, at);
      if (state === this.live.state) return biometrics;
      this.live.change(state);
      await this.live.save();
      if (biometrics.status === 'Processing') this.review.askFaceVerifier(biometrics);
      return biometrics;
    });
  }

  #stateAfterAction({ biometricsId, owner, ...action }: LinkAction, at: string) {
    return unwrap(applyPageAction(this.live.state, biometricsId, action, owner, at));
  }

  #watchExpiry(): void {
    const link = currentLink(this.live.state);
    if (!link || !isOpenLink(link) || this.#openLink) return;
    const scope = this.live.newScope();
    this.#openLink = { id: link.id, scope };
    this.live.runInBackground(scope, 'expire a link', () => this.#expire(link));
  }

  async #expire({ origin = 'biometrics', expiresAt }: Biometrics): Promise<void> {
    // The clocks of the Temporal server and of the worker differ slightly, so the timer may fire early.
    while (now() < expiresAt) await sleep(msUntil(expiresAt), { summary: `${origin}: the link expires` });
    await this.live.runExclusive(async (at) => {
      const next = expireLink(this.live.state, at);
      if (next === this.live.state) return;
      this.live.change(next);
      await this.live.save();
    });
  }

  /** Stops the timer of a link that is closed or replaced, and the attempts to send it. */
  #stopClosedLink(): void {
    const link = currentLink(this.live.state);
    if (!this.#openLink || (link?.id === this.#openLink.id && isOpenLink(link))) return;
    const { scope } = this.#openLink;
    this.#openLink = undefined;
    scope.cancel();
  }
}
