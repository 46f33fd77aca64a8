import { answerRefused, answerToken, denyToken } from '../../domain/answer';
import { takeStep } from '../../domain/biometrics/capture';
import type { BiometricsProposal } from '../../domain/biometrics/link-proposal';
import { startBiometrics } from '../../domain/biometrics/link';
import { decide, withoutImages } from '../../domain/biometrics/review';
import { type Failure, failure } from '../../domain/failures';
import { takeReply } from '../../domain/reply';
import type { ConfirmationProposal } from '../../domain/confirmation-proposal';
import { requestConfirmation } from '../../domain/request';
import type { TransactionState } from '../../domain/state';
import type { BiometricsDecision, BiometricsStep, PersonsReply, TokenToAnswer } from '../../workflows/contract';

/** The refusal that a transaction at rest is certain to answer with at an instant; undefined when it would do what it is asked, or did. */
export type Judge = (state: TransactionState, now: string) => Failure | undefined;

/** Judges a request for a confirmation. */
export const judgeRequest =
  (proposal: ConfirmationProposal): Judge =>
  (state, now) => {
    if (state.confirmations.some(({ id }) => id === proposal.confirmationId)) return undefined;
    const requested = requestConfirmation(state, proposal, now);
    return 'refused' in requested ? requested.refused : undefined;
  };

/** Judges a value tried on a token. */
export const judgeAnswer =
  ({ flow, digest }: TokenToAnswer): Judge =>
  (state, now) => {
    const answered = answerToken(state, flow, digest, now);
    if (answered.kind === 'none') return failure('ConfirmationNotFound', 'No token was asked for.');
    if (answered.kind === 'evaluated') return undefined;
    return answerRefused(answered.answer);
  };

/** Judges a person's reply. */
export const judgeReply =
  ({ confirmationId, reply }: PersonsReply): Judge =>
  (state, now) => {
    const taken =
      'deny' in reply ? denyToken(state, confirmationId, now) : takeReply(state, confirmationId, reply, now);
    return taken ? undefined : failure('ReplyRefused', 'Nothing open awaits this reply.');
  };

const refusalIn = (changed: { refused: Failure } | { state: TransactionState }) =>
  'refused' in changed ? changed.refused : undefined;

/** Judges a request for a biometrics link. */
export const judgeLink =
  (proposal: BiometricsProposal): Judge =>
  (state, now) =>
    state.biometrics?.some(({ id }) => id === proposal.biometricsId)
      ? undefined
      : refusalIn(startBiometrics(state, proposal, now));

/** Judges a step on the page of a link. */
export const judgeStep =
  ({ biometricsId, owner, ...step }: BiometricsStep): Judge =>
  (state, now) =>
    refusalIn(takeStep(state, biometricsId, step, owner, now));

/** Judges a decision on images. */
export const judgeDecision =
  ({ biometricsId, ...decision }: BiometricsDecision): Judge =>
  (state, at) =>
    refusalIn(decide(state, biometricsId, { ...decision, at }));

/** Judges an erasure. */
export const judgeErasure: Judge = (state, now) =>
  withoutImages(state, now) ? undefined : failure('BiometricsNotFound', 'There never was a link.');
