import { type ApiRoute, type Handler, withBody } from '../http/route';
import { captureKinds } from '../../domain/biometrics/biometrics';
import { decideBiometrics } from '../../workflows/contract/commands';
import { requireImages } from '../biometrics/images';
import { throwAsProblem } from '../transactions/transactions';
import { at, decisionStatus, findReview } from './reviews';
import { z } from 'zod';
import { named, sample, utcTime } from '../http/openapi/schema-of';
import { text } from '../http/body/fields';

export const decisionResponse = named(
  'ReviewDecision',
  z.strictObject({
    id: z.uuid(),
    transactionId: z.uuid(),
    status: decisionStatus,
    decidedAt: utcTime,
  }),
  { id: sample.biometricsId, transactionId: sample.transactionId, status: 'Approved', decidedAt: at },
);

/** POST /v1/reviews/{reviewId}/decision: saves the decision, with the client as the reviewer. */
export const decideReview: Handler<'images' | 'transactions', DecisionBody> = async (call) => {
  const { dependencies, tenant, clientId, body, idempotencyKey } = call;
  const { state, biometrics } = await findReview(call);
  // Erased images cannot be approved. A second decision is not checked here: the transaction throws not_in_review. If the idempotency key
  // is the same, the transaction returns its first answer instead.
  if (body.status === 'Approved' && biometrics.status === 'Processing')
    await requireImages(dependencies, { tenant, id: state.id }, biometrics, captureKinds);
  const decision = { ...body, biometricsId: String(call.request.params['reviewId']), by: clientId };
  const pendingDecision = dependencies.transactions.send({ tenant, id: state.id }, decideBiometrics, {
    input: decision,
    identity: [decision.biometricsId, decision.status, decision.by, decision.reason],
    idempotencyKey,
  });
  const { id, status, decision: savedDecision } = await throwAsProblem(pendingDecision);
  return { status: 200, body: { id, transactionId: state.id, status, decidedAt: savedDecision?.at } };
};

/** The body of POST /v1/reviews/{reviewId}/decision. */
export const decisionBody = named(
  'DecisionRequest',
  z.strictObject(
    {
      status: z.enum(['Approved', 'Rejected', 'Inconclusive'], 'must be Approved, Rejected or Inconclusive'),
      reason: text(500)
        .min(3, 'must have at least 3 visible characters')
        .transform((given) => given.trim())
        .refine((given) => given.replace(/\p{Cf}/gu, '').length >= 3, 'must have at least 3 visible characters'),
    },
    'must be an object',
  ),
);

export type DecisionBody = z.output<typeof decisionBody>;

/** The decision of a reviewer; not in SPEC. */
export const decisionRoutes: readonly ApiRoute[] = [
  withBody({
    operationId: 'decideReview',
    method: 'post',
    path: '/v1/reviews/{reviewId}/decision',
    scope: 'biometrics:review',
    summary: 'Decide on the images; the client is recorded as the reviewer',
    body: () => decisionBody,
    example: { status: 'Approved', reason: 'The face matches the document.' },
    responses: { 200: decisionResponse },
    problems: ['idempotency_conflict', 'review_not_found', 'not_in_review', 'images_erased'],
    handler: decideReview,
  }),
];
