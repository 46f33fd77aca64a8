import { ActivityFailure, type CancellationScope, isCancellation } from '@temporalio/workflow';
import type { Biometrics } from '../../domain/biometrics/biometrics';
import { isApprovedByPolicy, linkInReview } from '../../domain/biometrics/capture';
import { decisionMessages } from '../../domain/biometrics/messages';
import type { ChangedLink } from '../../domain/biometrics/link';
import { decideOnImages, faceVerificationEndsAt, withFaceFindings } from '../../domain/biometrics/review';
import type { TransactionState } from '../../domain/transactions/state';
import { eraseImages, faceRequestMs, verifyFaces } from '../activities';
import type { DecisionAnswer } from '../contract/commands';
import { decisionDeliveryRequest, deliverUntilMessageExpires } from '../confirmations/send-message';
import { unwrap } from '../failures';
import type { WithResponse } from '../idempotency';
import { type LiveTransaction, msUntil, now } from '../live-transaction';

/** The submitted images of one transaction: their face verification, the decision on them, and their erasure. */
export class BiometricsReview {
  /** The link whose images the face verifier checks now. `scope`: a Temporal scope that cancels the check. */
  #verification: { id: string; scope: CancellationScope } | undefined;

  constructor(private readonly live: LiveTransaction) {
    live.onChange(() => this.#stopVerification());
  }

  /**
   * In a new workflow run, restarts the face verification if it had not ended, and sends the messages of a recent decision. A message that
   * was already sent is not sent again, because it has the same id.
   */
  resume(): void {
    const link = linkInReview(this.live.state);
    if (link) this.askFaceVerifier(link);
    for (const decided of this.live.state.biometrics ?? []) this.#sendDecisionMessages(decided);
  }

  /**
   * Asks the face verifier in the background, if the link has a face policy. If its findings meet the approval thresholds of the policy,
   * approves the images. If there are no findings in time, saves this: then the verifier is not asked again.
   */
  askFaceVerifier(link: Biometrics): void {
    const { id, captures } = link;
    const [selfie, documentFront] = [captures.selfie?.imageId, captures.documentFront?.imageId];
    const endsAt = faceVerificationEndsAt(link);
    if (endsAt === undefined || !selfie || !documentFront) return;
    const { tenant, id: transactionId } = this.live.state;
    const scope = this.live.background.newScope();
    this.#verification = { id, scope };
    this.live.background.run(scope, 'verify faces', () =>
      this.live.background.keepOpenDuring(async () => {
        const images = { tenant, transactionId, selfie, documentFront };
        // A workflow run that continues after this time makes one attempt.
        const scheduleToCloseTimeout = Math.max(faceRequestMs, msUntil(endsAt));
        const findings = await verifyFaces
          .executeWithOptions({ scheduleToCloseTimeout }, [images])
          .catch(handleVerificationError);
        await this.live.runExclusive(async (at) => {
          const nextState = withFaceFindings(this.live.state, id, findings, at);
          if (nextState === this.live.state) return;
          this.live.change(nextState);
          const current = linkInReview(this.live.state);
          const reason = 'The findings on the faces meet the policy.';
          const decision = { status: 'Approved', by: 'policy', reason, at } as const;
          const approved =
            current?.id === id && isApprovedByPolicy(current)
              ? unwrap(decideOnImages(this.live.state, id, decision))
              : undefined;
          if (approved) this.live.change(approved.state);
          await this.live.save();
          if (approved) this.#sendDecisionMessages(approved.biometrics);
        });
      }),
    );
  }

  /** Saves a decision on the images, and sends its messages. Call this only inside `runExclusive`. */
  async saveDecision(
    { state, biometrics }: ChangedLink,
    withResponse: WithResponse<DecisionAnswer>,
  ): Promise<DecisionAnswer> {
    this.live.change(state);
    const { id, status } = biometrics;
    const answer = { id, status, ...(biometrics.decision ? { decision: biometrics.decision } : {}) };
    await this.live.save((changed) => withResponse(changed, answer));
    this.#sendDecisionMessages(biometrics);
    return answer;
  }

  /** Sends the person the messages that the hosted page promised. If a message cannot be delivered, nothing changes. */
  #sendDecisionMessages(link: Biometrics): void {
    for (const message of decisionMessages(link).filter(({ expiresAt }) => expiresAt > now()))
      this.live.background.run(this.live.background.newScope(), 'deliver a decision message', () =>
        this.live.background.keepOpenDuring(
          async () => void (await deliverUntilMessageExpires(decisionDeliveryRequest(this.live.state, link, message))),
        ),
      );
  }

  /**
   * Saves that all images are erased at `erasedAt`. Call this only inside `runExclusive`. Returns the work that then makes the stored images
   * unreadable.
   */
  async erase(
    withoutImages: TransactionState,
    { by: clientId }: { by: string },
    erasedAt: string,
  ): Promise<() => Promise<{ erasedAt: string }>> {
    this.live.change(withoutImages);
    // Once this record is saved, no more images are accepted.
    await this.live.save();
    const { tenant, id: transactionId } = this.live.state;
    return () =>
      this.live.keepRunningDuring(async () => {
        await eraseImages({ tenant, transactionId, erasedAt, actor: clientId });
        return { erasedAt };
      });
  }

  /** Stops the face verification if its link is no longer in review. */
  #stopVerification(): void {
    if (!this.#verification || linkInReview(this.live.state)?.id === this.#verification.id) return;
    const { scope } = this.#verification;
    this.#verification = undefined;
    scope.cancel();
  }
}

/** Returns null, as for an answer without findings, if the verifier gave no answer in time. Throws any other error. */
function handleVerificationError(error: unknown): null {
  if (error instanceof ActivityFailure && !isCancellation(error)) return null;
  throw error;
}
