import { CancellationScope, sleep } from '@temporalio/workflow';
import { type Biometrics, isOpenLink, type LinkSend, pendingLinkSends } from '../../domain/biometrics/biometrics';
import { type ChangedLink, currentLink, expireLink, applyLinkDelivery } from '../../domain/biometrics/link';
import { toReportedStatus, type SendResult } from '../../domain/confirmations/delivery';
import type { BiometricsReview } from './biometrics-review';
import type { DeliveryStatusReport } from '../contract/commands';
import {
  attemptDelivery,
  linkMessageRequest,
  type MessageRequest,
  continueUntilMessageExpires,
} from '../confirmations/send-message';
import { msUntil, type LiveTransaction, now } from '../live-transaction';

/**
 * The biometrics links of one transaction: the requests for them, their messages, the actions of the person, and the expiry of the open
 * link.
 */
export class BiometricsLinks {
  /** The open link. `scope`: a Temporal scope that cancels its timer and the attempts to send it. */
  #openLink: { id: string; scope: CancellationScope } | undefined;
  /** The first attempts of this workflow run to send the messages of each link, by the id of the link. */
  readonly #firstAttempts = new Map<string, Promise<void>>();

  constructor(
    private readonly live: LiveTransaction,
    private readonly review: BiometricsReview,
  ) {
    live.onChange(() => this.#stopClosedLink());
  }

  /** In a new workflow run, starts the expiry timer of the open link again, and continues to send its pending messages. */
  resume(): void {
    this.#watchExpiry();
    const link = currentLink(this.live.state);
    if (!link || pendingLinkSends(link).length === 0) return;
    // A repeated request waits for this attempt, so the attempt is not canceled.
    this.live.background.run(this.live.background.newScope(), 'send a link', () =>
      CancellationScope.nonCancellable(async () => void (await this.send(link))),
    );
  }

  #findById(id: string): Biometrics | undefined {
    return this.live.state.biometrics?.find((link) => link.id === id);
  }

  /** Saves a decided link. Call this only inside `runExclusive`, and call `send` next. */
  async create({ state, biometrics }: ChangedLink): Promise<Biometrics> {
    this.live.change(state);
    this.#watchExpiry();
    // The person may open the link as soon as the message arrives. So the record must have the link before the message is sent.
    await this.live.save();
    return biometrics;
  }

  /**
   * Makes one attempt to send each pending message of a link. If an outcome is unknown, further attempts follow in the background. A repeated
   * call waits for the same attempts. Returns the current state of the link.
   */
  async send(link: Biometrics): Promise<Biometrics> {
    const attempts = this.#firstAttempts.get(link.id) ?? this.#attemptToSend(link);
    this.#firstAttempts.set(link.id, attempts);
    await attempts;
    return this.#findById(link.id) ?? link;
  }

  async #attemptToSend(link: Biometrics): Promise<void> {
    const pendingSends = pendingLinkSends(link);
    if (pendingSends.length === 0) return;
    await this.live.keepRunningDuring(async () => {
      const attempts = await Promise.all(
        pendingSends.map(async (send) => {
          const message = linkMessageRequest(this.live.state, link, send);
          return { send, message, attempt: await attemptDelivery(this.live, message) };
        }),
      );
      await this.live.runExclusive(async () => {
        for (const { send, message, attempt } of attempts) {
          if (attempt.status === 'unknown') this.#sendInBackground(link, send, message);
          else this.#applyDelivery(send.id, attempt);
        }
        await this.live.save();
      });
    });
  }

  #sendInBackground({ id }: Biometrics, send: LinkSend, message: MessageRequest): void {
    if (this.#openLink?.id !== id) return;
    this.live.background.run(this.#openLink.scope, 'deliver a link', () =>
      this.live.background.keepOpenDuring(async () => {
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

  /** Saves what the person did on the hosted page. Call this only inside `runExclusive`. */
  async applyPageAction({ state, biometrics }: ChangedLink): Promise<Biometrics> {
    if (state === this.live.state) return biometrics;
    this.live.change(state);
    await this.live.save();
    if (biometrics.status === 'Processing') this.review.askFaceVerifier(biometrics);
    return biometrics;
  }

  #watchExpiry(): void {
    const link = currentLink(this.live.state);
    if (!link || !isOpenLink(link) || this.#openLink) return;
    const scope = this.live.background.newScope();
    this.#openLink = { id: link.id, scope };
    this.live.background.run(scope, 'expire a link', () => this.#expire(link));
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
