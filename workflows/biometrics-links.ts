import { type CancellationScope, sleep } from '@temporalio/workflow';
import { type Biometrics, isOpenLink, type LinkSend } from '../domain/biometrics/biometrics';
import { applyPageAction } from '../domain/biometrics/capture';
import type { BiometricsProposal } from '../domain/biometrics/link-proposal';
import { currentLink, expireLink, applyLinkDelivery, createLink } from '../domain/biometrics/link';
import { toReportedDelivery, type SendResult } from '../domain/delivery-status';
import { channelInUseError } from '../domain/flows/start-run';
import type { TransactionState } from '../domain/state';
import type { BiometricsReview } from './biometrics-review';
import type { LinkAction, DeliveryStatusReport } from './contract';
import { attemptDelivery, linkMessageRequest, type MessageRequest, continueUntilMessageExpires } from './send-message';
import { toFailure, unwrap } from './failures';
import { msUntil, type LiveTransaction, now } from './live-transaction';

/**
 * The biometrics links of one transaction: their requests and deliveries, the actions of the person, and the expiry of
 * the open link.
 */
export class BiometricsLinks {
  /** The open link, with the scope of its timer and its deliveries. */
  #openLink: { id: string; scope: CancellationScope } | undefined;

  constructor(
    private readonly live: LiveTransaction,
    private readonly review: BiometricsReview,
  ) {
    live.onChange(() => this.#stopClosedLink());
  }

  /**
   * Starts the expiry timer of the open link again. No delivery needs a restart, because a workflow run ends only after its
   * deliveries. Only a terminated workflow loses its deliveries.
   */
  resume(): void {
    this.#watchExpiry();
  }

  #findById(id: string): Biometrics | undefined {
    return this.live.state.biometrics?.find((link) => link.id === id);
  }

  checkRequest(proposal: BiometricsProposal, at = now()): void {
    if (this.#findById(proposal.biometricsId)) return;
    const error = channelInUseError(this.live.state, 'biometrics');
    if (error) throw toFailure(error);
    this.#stateAfterRequest(proposal, at);
  }

  /** Creates a link, which cancels an open one. Returns after the first attempt of each message. */
  async request(proposal: BiometricsProposal): Promise<Biometrics> {
    const { link, isNew } = await this.live.runExclusive(async (at) => {
      this.checkRequest(proposal, at);
      // A repeat with the same idempotency key has the same link id. If its answer is no longer remembered, it gets the link of the first
      // request.
      const existing = this.#findById(proposal.biometricsId);
      return existing ? { link: existing, isNew: false } : { link: await this.create(proposal, at), isNew: true };
    });
    return isNew ? this.send(link, proposal) : link;
  }

  #stateAfterRequest(proposal: BiometricsProposal, at: string) {
    return unwrap(createLink(this.live.state, proposal, at));
  }

  /**
   * Creates a link and saves it. `alsoChange`: a change that is saved with the link. Only inside `runExclusive`; call
   * `send` next.
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

  /** Makes one attempt per message of a link. A message with an unknown outcome continues in the background. */
  async send(link: Biometrics, proposal: BiometricsProposal): Promise<Biometrics> {
    if (link.sends.length === 0) return link;
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

  /** Applies a delivery to the state: the result of our attempt, or a later report of the provider. Returns whether it changed the link. */
  #applyDelivery(sendId: string, delivery: SendResult, source: 'attempt' | 'report' = 'attempt'): boolean {
    const next = applyLinkDelivery(this.live.state, sendId, delivery, source);
    if (next) this.live.change(next);
    return next !== undefined;
  }

  /** Applies the delivery status of a message with a link. Only inside `runExclusive`. */
  async applyDeliveryStatus({ sendId, status, code }: DeliveryStatusReport): Promise<void> {
    // A link records only `accepted` and `failed`, so `sent` counts as `accepted`.
    const delivery = toReportedDelivery(status === 'failed' ? 'failed' : 'accepted', code);
    if (this.#applyDelivery(sendId, delivery, 'report')) await this.live.save();
  }

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
    // The clocks of two servers differ slightly: the timer may fire early.
    while (now() < expiresAt) await sleep(msUntil(expiresAt), { summary: `${origin}: the link expires` });
    await this.live.runExclusive(async (at) => {
      const next = expireLink(this.live.state, at);
      if (next === this.live.state) return;
      this.live.change(next);
      await this.live.save();
    });
  }

  /** Stops the timer and the deliveries of a link that is closed or replaced. */
  #stopClosedLink(): void {
    const link = currentLink(this.live.state);
    if (!this.#openLink || (link?.id === this.#openLink.id && isOpenLink(link))) return;
    const { scope } = this.#openLink;
    this.#openLink = undefined;
    scope.cancel();
  }
}
