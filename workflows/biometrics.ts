import { ActivityFailure, CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import { type Biometrics, isOpenLink, type LinkSend } from '../domain/biometrics/biometrics';
import { type Changed, reviewedLink, takeStep } from '../domain/biometrics/capture';
import type { BiometricsProposal } from '../domain/biometrics/link-proposal';
import { currentLink, expireLink, linkSent, startBiometrics } from '../domain/biometrics/link';
import { isApprovedByPolicy } from '../domain/biometrics/quality';
import { decide, withFaces, withoutImages } from '../domain/biometrics/review';
import { deliveryTold, type SettledDelivery } from '../domain/delivery';
import { failure } from '../domain/failures';
import { besideRun } from '../domain/flows/start-run';
import type { TransactionState } from '../domain/state';
import { eraseImages, verifyFaces } from './activities';
import type { BiometricsDecision, BiometricsStep, Decided, MessageProgress } from './contract';
import { deliverUntilExpiry, type OutgoingMessage } from './delivery';
import { inMs, type Life, now } from './life';
import { deliverLinkAtOnce, linkMessage } from './link-delivery';
import { refusal } from './refusal';

/** The biometrics links of one transaction: what handlers do, and what runs beside them until a link is over. */
export class BiometricsLinks {
  /** The timer of the open link, and the deliveries that end with it. */
  #open: { id: string; scope: CancellationScope } | undefined;
  /** The face verifier is being asked. */
  #verifying: CancellationScope | undefined;
  #underWay = 0;

  constructor(private readonly life: Life) {}

  /** Whether something is under way that the workflow may not leave behind. */
  get busy(): boolean {
    return this.#underWay > 0;
  }

  /** Takes up what a state that was carried over has open. Deliveries are not carried over: a run waits for their end. */
  resume(): void {
    this.#watchExpiry();
    const link = reviewedLink(this.life.state);
    if (link && !link.verifiedAt) this.#verify(link);
  }

  #byId(id: string): Biometrics | undefined {
    return this.life.state.biometrics?.find((link) => link.id === id);
  }

  checkRequest(proposal: BiometricsProposal): void {
    if (this.#byId(proposal.biometricsId)) return;
    const refused = besideRun(this.life.state, 'biometrics');
    if (refused) throw refusal(refused);
    const started = startBiometrics(this.life.state, proposal, now());
    if ('refused' in started) throw refusal(started.refused);
  }

  /** Makes a link; an open one is canceled by it. Answers when each of its messages was tried once. */
  async request(proposal: BiometricsProposal): Promise<Biometrics> {
    // A key whose answer is no longer remembered proposes the link that it made: there is one of an id.
    const known = this.#byId(proposal.biometricsId);
    if (known) return known;
    const refused = besideRun(this.life.state, 'biometrics');
    if (refused) throw refusal(refused);
    return this.ask(proposal, (state) => state);
  }

  /** Makes a link; `taken` is what else changes with it. */
  async ask(proposal: BiometricsProposal, taken: (state: TransactionState) => TransactionState): Promise<Biometrics> {
    const started = startBiometrics(this.life.state, proposal, now());
    if ('refused' in started) throw refusal(started.refused);
    const { state, biometrics } = started;
    this.life.change(taken(state));
    this.#watchExpiry();
    // A person may be quicker with the message than we are: the link opens before it is sent.
    await this.life.save();
    if (biometrics.sends.length === 0) return biometrics;
    await Promise.all(biometrics.sends.map((send) => this.#send(biometrics, send, proposal)));
    await this.life.save();
    return this.#byId(biometrics.id) ?? biometrics;
  }

  /** Tries a message once, for the caller who waits; what that leaves open is settled beside everything else. */
  async #send(link: Biometrics, send: LinkSend, proposal: BiometricsProposal): Promise<void> {
    const message = linkMessage(this.life.state, link, send, proposal);
    const scope = this.#open?.id === link.id ? this.#open.scope : undefined;
    const outcome = await deliverLinkAtOnce(message);
    if (outcome.status !== 'unsettled') this.#sent(send.id, outcome);
    else if (scope) this.#beside(scope, () => this.#sendAgain(send.id, message));
  }

  async #sendAgain(sendId: string, message: OutgoingMessage): Promise<void> {
    this.#sent(sendId, await deliverUntilExpiry(message));
    await CancellationScope.nonCancellable(() => this.life.save());
  }

  #sent(sendId: string, outcome: SettledDelivery, by?: 'provider'): boolean {
    const next = linkSent(this.life.state, sendId, outcome, by);
    if (next) this.life.change(next);
    return next !== undefined;
  }

  /** Takes a provider's word on a message with a link. */
  async progress({ sendId, status, code }: MessageProgress): Promise<void> {
    // A link is taken or failed: how far its message came beyond that is not kept.
    const outcome = deliveryTold(status === 'failed' ? 'failed' : 'accepted', code);
    if (this.#sent(sendId, outcome, 'provider')) await this.life.save();
  }

  checkStep(asked: BiometricsStep): void {
    const taken = this.#taken(asked);
    if ('refused' in taken) throw refusal(taken.refused);
  }

  /** Takes one step of the person on the page. */
  async step(asked: BiometricsStep): Promise<Biometrics> {
    const taken = this.#taken(asked);
    if ('refused' in taken) throw refusal(taken.refused);
    const handedIn = taken.state !== this.life.state && taken.biometrics.status === 'Processing';
    if (taken.state !== this.life.state) this.life.change(taken.state);
    this.#closeIfOver();
    await this.life.save();
    if (handedIn) this.#verify(taken.biometrics);
    return taken.biometrics;
  }

  #taken({ biometricsId, owner, ...step }: BiometricsStep): Changed {
    return takeStep(this.life.state, biometricsId, step, owner, now());
  }

  /** Asks a face verifier where the tenant wants one, and decides only what its policy leaves to machines. */
  #verify({ id, facePolicy, captures }: Biometrics): void {
    const [selfie, documentFront] = [captures.selfie?.imageId, captures.documentFront?.imageId];
    if (!facePolicy || !selfie || !documentFront) return;
    const { tenant, id: transactionId } = this.life.state;
    this.#verifying = this.life.newScope();
    this.#beside(this.#verifying, async () => {
      const faces = await verifyFaces({ tenant, transactionId, selfie, documentFront });
      const found = withFaces(this.life.state, id, faces, now());
      if (found === this.life.state) return;
      this.life.change(found);
      const link = reviewedLink(this.life.state);
      const reason = 'The findings on the faces reach what the policy asks for.';
      if (link?.id === id && isApprovedByPolicy(link))
        this.#change(decide(this.life.state, id, { status: 'Approved', by: 'policy', reason, at: now() }));
      await this.life.save();
    });
  }

  checkDecision(decided: BiometricsDecision): void {
    const made = this.#decided(decided);
    if ('refused' in made) throw refusal(made.refused);
  }

  /** Takes the decision on the images, and appends its score. */
  async decide(decided: BiometricsDecision): Promise<Decided> {
    const { id, status, decision } = this.#change(this.#decided(decided));
    this.#verifying?.cancel();
    await this.life.save();
    return { id, status, ...(decision ? { decision } : {}) };
  }

  #decided({ biometricsId, status, by, reason }: BiometricsDecision) {
    return decide(this.life.state, biometricsId, { status, by, reason, at: now() });
  }

  #change(changed: Changed): Biometrics {
    if ('refused' in changed) throw refusal(changed.refused);
    this.life.change(changed.state);
    return changed.biometrics;
  }

  checkErasure(): void {
    if (!currentLink(this.life.state)) throw refusal(failure('BiometricsNotFound', 'There never was a link.'));
  }

  /** Erases all images: first nothing can be added any more, then what is there is destroyed. */
  async erase({ by }: { by: string }): Promise<{ erasedAt: string }> {
    const erasedAt = now();
    const without = withoutImages(this.life.state, erasedAt);
    if (!without) throw refusal(failure('BiometricsNotFound', 'There never was a link.'));
    this.life.change(without);
    this.#closeIfOver();
    this.#verifying?.cancel();
    const { tenant, id: transactionId } = this.life.state;
    this.#underWay += 1;
    try {
      // The record first: from then on nothing is taken in any more.
      await this.life.save();
      await eraseImages({ tenant, transactionId, actor: by });
    } finally {
      this.#underWay -= 1;
    }
    return { erasedAt };
  }

  #watchExpiry(): void {
    const link = currentLink(this.life.state);
    this.#closeIfOver();
    if (!link || !isOpenLink(link) || this.#open) return;
    const scope = this.life.newScope();
    this.#open = { id: link.id, scope };
    void scope.run(() => this.#expire(link)).catch(unlessCancelled);
  }

  async #expire({ asker = 'biometrics', expiresAt }: Biometrics): Promise<void> {
    // Clocks of two servers may differ by a little: what is not due yet is waited for again.
    while (now() < expiresAt) await sleep(inMs(expiresAt), { summary: `${asker}: the link expires` });
    this.#underWay += 1;
    try {
      this.life.change(expireLink(this.life.state, now()));
      await CancellationScope.nonCancellable(() => this.life.save());
    } finally {
      this.#underWay -= 1;
    }
  }

  /** Ends what runs for a link that is closed. */
  closeWhatIsOver(): void {
    this.#closeIfOver();
  }

  /** Ends what runs for a link that is closed, or that another took the place of. */
  #closeIfOver(): void {
    const link = currentLink(this.life.state);
    if (!this.#open || (link?.id === this.#open.id && isOpenLink(link))) return;
    this.#open.scope.cancel();
    this.#open = undefined;
  }

  /** Runs beside the handlers, and keeps the run from ending meanwhile. */
  #beside(scope: CancellationScope, work: () => Promise<void>): void {
    this.#underWay += 1;
    void scope
      .run(work)
      .catch(unlessCancelledOrLate)
      .finally(() => {
        this.#underWay -= 1;
      });
  }
}

/** Nobody waits for what runs beside the handlers: its cancellation, and the end of its attempts, go by. */
function unlessCancelled(error: unknown): void {
  if (!isCancellation(error)) throw error;
}

function unlessCancelledOrLate(error: unknown): void {
  if (!(error instanceof ActivityFailure)) unlessCancelled(error);
}
