import { ActivityFailure, type CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import { type Biometrics, isOpenLink, type LinkSend } from '../domain/biometrics/biometrics';
import { type LinkChange, reviewedLink, applyPageStep } from '../domain/biometrics/capture';
import { decisionMessages } from '../domain/biometrics/decision-message';
import type { BiometricsProposal } from '../domain/biometrics/link-proposal';
import { currentLink, expireLink, applyLinkDelivery, startBiometrics } from '../domain/biometrics/link';
import { isApprovedByPolicy } from '../domain/biometrics/quality';
import { decide, withFaces, withoutImages } from '../domain/biometrics/review';
import { toDelivery, type SettledDelivery } from '../domain/delivery-status';
import { createDomainError } from '../domain/domain-error';
import { channelInUseError } from '../domain/flows/start-run';
import type { TransactionState } from '../domain/state';
import { eraseImages, verifyFaces } from './activities';
import type { BiometricsDecision, BiometricsStep, Decided, MessageProgress } from './contract';
import {
  attemptDelivery,
  decisionMessage,
  deliverUntilExpiry,
  linkMessage,
  type OutgoingMessage,
  redeliverUntilExpiry,
} from './delivery';
import { domainError } from './domain-errors';
import { inMs, type LiveTransaction, now } from './live-transaction';

/** The biometrics links of one transaction: their commands, and the timer, deliveries and face verification of the open link. */
export class BiometricsLinks {
  /** The open link, with the scope of its timer and its deliveries. */
  #open: { id: string; scope: CancellationScope } | undefined;
  /** The link whose faces are being verified. */
  #verifying: { id: string; scope: CancellationScope } | undefined;

  constructor(private readonly live: LiveTransaction) {
    live.onChange(() => this.#stopClosed());
  }

  /** Restarts the timer and the face verification of a resumed state. No delivery is open: a workflow run ends after its deliveries. */
  resume(): void {
    this.#watchExpiry();
    const link = reviewedLink(this.live.state);
    if (link && !link.verifiedAt) this.#verify(link);
  }

  #byId(id: string): Biometrics | undefined {
    return this.live.state.biometrics?.find((link) => link.id === id);
  }

  checkRequest(proposal: BiometricsProposal): void {
    if (this.#byId(proposal.biometricsId)) return;
    const error = channelInUseError(this.live.state, 'biometrics');
    if (error) throw domainError(error);
    this.#start(proposal);
  }

  /** Creates a link, which cancels an open one. Returns after the first attempt of each message. */
  async request(proposal: BiometricsProposal): Promise<Biometrics> {
    const { link, isNew } = await this.live.exclusive(async () => {
      this.checkRequest(proposal);
      // A repeat whose answer is no longer remembered proposes the same id: it gets the link of the first request.
      const known = this.#byId(proposal.biometricsId);
      return known ? { link: known, isNew: false } : { link: await this.create(proposal), isNew: true };
    });
    return isNew ? this.send(link, proposal) : link;
  }

  #start(proposal: BiometricsProposal) {
    const started = startBiometrics(this.live.state, proposal, now());
    if ('error' in started) throw domainError(started.error);
    return started;
  }

  /** Creates a link and saves it, together with the change `and`. Only inside `exclusive`; call `send` next. */
  async create(
    proposal: BiometricsProposal,
    and: (state: TransactionState) => TransactionState = (state) => state,
  ): Promise<Biometrics> {
    const { state, biometrics } = this.#start(proposal);
    this.live.change(and(state));
    this.#watchExpiry();
    // The person may open the link as soon as the message arrives: save it first.
    await this.live.save();
    return biometrics;
  }

  /** Makes one attempt per message of a link. A message with an unknown outcome continues in the background. */
  async send(link: Biometrics, proposal: BiometricsProposal): Promise<Biometrics> {
    if (link.sends.length === 0) return link;
    return this.live.track(async () => {
      const attempts = await Promise.all(
        link.sends.map(async (send) => {
          const message = linkMessage(this.live.state, link, send, proposal);
          return { send, message, attempt: await attemptDelivery(message) };
        }),
      );
      return this.live.exclusive(async () => {
        for (const { send, message, attempt } of attempts) {
          if (attempt.status === 'unknown') this.#sendInBackground(link, send, message);
          else this.#applyDelivery(send.id, attempt);
        }
        await this.live.save();
        return this.#byId(link.id) ?? link;
      });
    });
  }

  #sendInBackground({ id }: Biometrics, send: LinkSend, message: OutgoingMessage): void {
    if (this.#open?.id !== id) return;
    this.live.inBackground(this.#open.scope, 'deliver a link', () =>
      this.live.track(async () => {
        const delivery = await redeliverUntilExpiry(message);
        await this.live.exclusive(async () => {
          this.#applyDelivery(send.id, delivery);
          await this.live.save();
        });
      }),
    );
  }

  /** Whether the delivery changed the link. */
  #applyDelivery(sendId: string, delivery: SettledDelivery, by?: 'provider'): boolean {
    const next = applyLinkDelivery(this.live.state, sendId, delivery, by);
    if (next) this.live.change(next);
    return next !== undefined;
  }

  /** Applies the delivery status of a message with a link. Only inside `exclusive`. */
  async applyDeliveryStatus({ sendId, status, code }: MessageProgress): Promise<void> {
    // Of the message with a link, only `accepted` and `failed` are recorded.
    const outcome = toDelivery(status === 'failed' ? 'failed' : 'accepted', code);
    if (this.#applyDelivery(sendId, outcome, 'provider')) await this.live.save();
  }

  checkStep(step: BiometricsStep): void {
    this.#applyStep(step);
  }

  /** Applies one step of the person on the hosted page. */
  async takeStep(step: BiometricsStep): Promise<Biometrics> {
    return this.live.exclusive(async () => {
      const { state, biometrics } = this.#applyStep(step);
      if (state === this.live.state) return biometrics;
      this.live.change(state);
      await this.live.save();
      if (biometrics.status === 'Processing') this.#verify(biometrics);
      return biometrics;
    });
  }

  #applyStep({ biometricsId, owner, ...step }: BiometricsStep) {
    return accepted(applyPageStep(this.live.state, biometricsId, step, owner, now()));
  }

  /** Asks the face verifier, if the tenant wants one. Its findings approve the images only if the tenant's policy says so. */
  #verify({ id, facePolicy, captures }: Biometrics): void {
    const [selfie, documentFront] = [captures.selfie?.imageId, captures.documentFront?.imageId];
    if (!facePolicy || !selfie || !documentFront) return;
    const { tenant, id: transactionId } = this.live.state;
    const scope = this.live.newScope();
    this.#verifying = { id, scope };
    this.live.inBackground(scope, 'verify faces', () =>
      this.live.track(async () => {
        const faces = await verifyFaces({ tenant, transactionId, selfie, documentFront }).catch(ifUnanswered);
        if (faces === 'unanswered') return;
        await this.live.exclusive(async () => {
          const withFindings = withFaces(this.live.state, id, faces, now());
          if (withFindings === this.live.state) return;
          this.live.change(withFindings);
          const link = reviewedLink(this.live.state);
          const reason = 'The findings on the faces meet the policy.';
          const decision = { status: 'Approved', by: 'policy', reason, at: now() } as const;
          const approved =
            link?.id === id && isApprovedByPolicy(link) ? accepted(decide(this.live.state, id, decision)) : undefined;
          if (approved) this.live.change(approved.state);
          await this.live.save();
          if (approved) this.#sendDecision(approved.biometrics);
        });
      }),
    );
  }

  checkDecision(decision: BiometricsDecision): void {
    this.#applyDecision(decision);
  }

  /** Applies the decision on the images, and appends its score. */
  async decide(decision: BiometricsDecision): Promise<Decided> {
    return this.live.exclusive(async () => {
      const { state, biometrics } = this.#applyDecision(decision);
      this.live.change(state);
      await this.live.save();
      this.#sendDecision(biometrics);
      const { id, status } = biometrics;
      return { id, status, ...(biometrics.decision ? { decision: biometrics.decision } : {}) };
    });
  }

  #applyDecision({ biometricsId, status, by, reason }: BiometricsDecision) {
    return accepted(decide(this.live.state, biometricsId, { status, by, reason, at: now() }));
  }

  /** Sends the person the messages that the page promised. A message that cannot be delivered changes nothing. */
  #sendDecision(link: Biometrics): void {
    for (const due of decisionMessages(link))
      this.live.inBackground(this.live.newScope(), 'deliver a decision message', () =>
        this.live.track(async () => void (await deliverUntilExpiry(decisionMessage(this.live.state, link, due)))),
      );
  }

  checkErasure(): void {
    if (!currentLink(this.live.state))
      throw domainError(createDomainError('BiometricsNotFound', 'The transaction has no biometrics link.'));
  }

  /** Erases all images: first it stops new ones, then it destroys those in the store. */
  async erase({ by }: { by: string }): Promise<{ erasedAt: string }> {
    return this.live.track(async () => {
      const erasedAt = await this.live.exclusive(async () => {
        this.checkErasure();
        const at = now();
        this.live.change(withoutImages(this.live.state, at) ?? this.live.state);
        // Once this record is saved, no more images are accepted.
        await this.live.save();
        return at;
      });
      const { tenant, id: transactionId } = this.live.state;
      await eraseImages({ tenant, transactionId, actor: by });
      return { erasedAt };
    });
  }

  #watchExpiry(): void {
    const link = currentLink(this.live.state);
    if (!link || !isOpenLink(link) || this.#open) return;
    const scope = this.live.newScope();
    this.#open = { id: link.id, scope };
    this.live.inBackground(scope, 'expire a link', () => this.#expire(link));
  }

  async #expire({ origin = 'biometrics', expiresAt }: Biometrics): Promise<void> {
    // The clocks of two servers differ slightly: the timer may fire early.
    while (now() < expiresAt) await sleep(inMs(expiresAt), { summary: `${origin}: the link expires` });
    await this.live.exclusive(async () => {
      const next = expireLink(this.live.state, now());
      if (next === this.live.state) return;
      this.live.change(next);
      await this.live.save();
    });
  }

  /** Stops the work for a link that is closed, replaced or decided. */
  #stopClosed(): void {
    const link = currentLink(this.live.state);
    if (this.#open && !(link?.id === this.#open.id && isOpenLink(link))) {
      const { scope } = this.#open;
      this.#open = undefined;
      scope.cancel();
    }
    if (this.#verifying && reviewedLink(this.live.state)?.id !== this.#verifying.id) {
      const { scope } = this.#verifying;
      this.#verifying = undefined;
      scope.cancel();
    }
  }
}

/** Throws the domain error of a change that is not possible. */
function accepted(changed: LinkChange): Exclude<LinkChange, { error: unknown }> {
  if ('error' in changed) throw domainError(changed.error);
  return changed;
}

/** Without an answer from the verifier in time, the reviewer decides alone. */
function ifUnanswered(error: unknown): 'unanswered' {
  if (error instanceof ActivityFailure && !isCancellation(error)) return 'unanswered';
  throw error;
}
