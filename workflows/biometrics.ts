import { ActivityFailure, type CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import { type Biometrics, isOpenLink, type LinkSend } from '../domain/biometrics/biometrics';
import { type LinkChange, reviewedLink, applyPageStep } from '../domain/biometrics/capture';
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
import { attemptDelivery, deliverUntilExpiry, linkMessage, type OutgoingMessage } from './delivery';
import { domainError } from './domain-errors';
import { inMs, type LiveTransaction, now } from './live-transaction';

/** The biometrics links of one transaction: the commands on them, and what runs beside these until a link is closed. */
export class BiometricsLinks {
  /** The timer of the open link, and the deliveries that end with it. */
  #open: { id: string; scope: CancellationScope } | undefined;
  /** The face verifier is being asked about this link. */
  #verifying: { id: string; scope: CancellationScope } | undefined;

  constructor(private readonly live: LiveTransaction) {
    live.onChange(() => this.#stopClosed());
  }

  /** Continues what a state that was carried over has open. Deliveries are not carried over: a run waits for their end. */
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
    this.#started(proposal);
  }

  /** Makes a link; an open one is canceled by it. Answers when each of its messages was tried once. */
  async request(proposal: BiometricsProposal): Promise<Biometrics> {
    const { link, isNew } = await this.live.exclusive(async () => {
      this.checkRequest(proposal);
      // A key whose answer is no longer remembered proposes the link that it made: there is one of an id.
      const known = this.#byId(proposal.biometricsId);
      return known ? { link: known, isNew: false } : { link: await this.create(proposal), isNew: true };
    });
    return isNew ? this.send(link, proposal) : link;
  }

  #started(proposal: BiometricsProposal) {
    const started = startBiometrics(this.live.state, proposal, now());
    if ('error' in started) throw domainError(started.error);
    return started;
  }

  /** Makes a link and saves it; `and` is what else changes with it. Only inside `exclusive`; `send` has to follow. */
  async create(
    proposal: BiometricsProposal,
    and: (state: TransactionState) => TransactionState = (state) => state,
  ): Promise<Biometrics> {
    const { state, biometrics } = this.#started(proposal);
    this.live.change(and(state));
    this.#watchExpiry();
    // A person may open the link as soon as the message is sent: it must be there.
    await this.live.save();
    return biometrics;
  }

  /** Tries each message of a link once; what that leaves open is settled in the background. */
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
          else this.#sent(send.id, attempt);
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
        const delivery = await deliverUntilExpiry(message);
        await this.live.exclusive(async () => {
          this.#sent(send.id, delivery);
          await this.live.save();
        });
      }),
    );
  }

  #sent(sendId: string, delivery: SettledDelivery, by?: 'provider'): boolean {
    const next = applyLinkDelivery(this.live.state, sendId, delivery, by);
    if (next) this.live.change(next);
    return next !== undefined;
  }

  /** Takes the delivery status of a message with a link. Only inside `exclusive`. */
  async progress({ sendId, status, code }: MessageProgress): Promise<void> {
    // A link is accepted or failed: how far its message came beyond that is not saved.
    const outcome = toDelivery(status === 'failed' ? 'failed' : 'accepted', code);
    if (this.#sent(sendId, outcome, 'provider')) await this.live.save();
  }

  checkStep(step: BiometricsStep): void {
    this.#taken(step);
  }

  /** Takes one step of the person on the page. */
  async step(step: BiometricsStep): Promise<Biometrics> {
    return this.live.exclusive(async () => {
      const { state, biometrics } = this.#taken(step);
      if (state === this.live.state) return biometrics;
      this.live.change(state);
      await this.live.save();
      if (biometrics.status === 'Processing') this.#verify(biometrics);
      return biometrics;
    });
  }

  #taken({ biometricsId, owner, ...step }: BiometricsStep) {
    return accepted(applyPageStep(this.live.state, biometricsId, step, owner, now()));
  }

  /** Asks a face verifier where the tenant wants one, and decides only what its policy leaves to machines. */
  #verify({ id, facePolicy, captures }: Biometrics): void {
    const [selfie, documentFront] = [captures.selfie?.imageId, captures.documentFront?.imageId];
    if (!facePolicy || !selfie || !documentFront) return;
    const { tenant, id: transactionId } = this.live.state;
    const scope = this.live.newScope();
    this.#verifying = { id, scope };
    this.live.inBackground(scope, 'verify faces', () =>
      this.live.track(async () => {
        const faces = await verifyFaces({ tenant, transactionId, selfie, documentFront }).catch(ifGivenUp);
        if (faces === 'given up') return;
        await this.live.exclusive(async () => {
          const found = withFaces(this.live.state, id, faces, now());
          if (found === this.live.state) return;
          this.live.change(found);
          const link = reviewedLink(this.live.state);
          const reason = 'The findings on the faces reach what the policy asks for.';
          const decision = { status: 'Approved', by: 'policy', reason, at: now() } as const;
          if (link?.id === id && isApprovedByPolicy(link))
            this.live.change(accepted(decide(this.live.state, id, decision)).state);
          await this.live.save();
        });
      }),
    );
  }

  checkDecision(decision: BiometricsDecision): void {
    this.#decided(decision);
  }

  /** Takes the decision on the images, and appends its score. */
  async decide(decision: BiometricsDecision): Promise<Decided> {
    return this.live.exclusive(async () => {
      const { state, biometrics } = this.#decided(decision);
      this.live.change(state);
      await this.live.save();
      const { id, status } = biometrics;
      return { id, status, ...(biometrics.decision ? { decision: biometrics.decision } : {}) };
    });
  }

  #decided({ biometricsId, status, by, reason }: BiometricsDecision) {
    return accepted(decide(this.live.state, biometricsId, { status, by, reason, at: now() }));
  }

  checkErasure(): void {
    if (!currentLink(this.live.state))
      throw domainError(createDomainError('BiometricsNotFound', 'There is no biometrics link.'));
  }

  /** Erases all images: first nothing can be added any more, then what is there is destroyed. */
  async erase({ by }: { by: string }): Promise<{ erasedAt: string }> {
    return this.live.track(async () => {
      const erasedAt = await this.live.exclusive(async () => {
        this.checkErasure();
        const at = now();
        this.live.change(withoutImages(this.live.state, at) ?? this.live.state);
        // From this record on, no image is accepted any more.
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
    // Clocks of two servers may differ by a little: what is not due yet is waited for again.
    while (now() < expiresAt) await sleep(inMs(expiresAt), { summary: `${origin}: the link expires` });
    await this.live.exclusive(async () => {
      const next = expireLink(this.live.state, now());
      if (next === this.live.state) return;
      this.live.change(next);
      await this.live.save();
    });
  }

  /** Ends what runs for a link that is closed, replaced or decided. */
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

/** The change, or its domain error. */
function accepted(changed: LinkChange): Exclude<LinkChange, { error: unknown }> {
  if ('error' in changed) throw domainError(changed.error);
  return changed;
}

/** A verifier that did not answer within its time leaves the decision to the reviewer. */
function ifGivenUp(error: unknown): 'given up' {
  if (error instanceof ActivityFailure && !isCancellation(error)) return 'given up';
  throw error;
}
