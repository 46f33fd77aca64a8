import type { TokenAnswer } from '../../domain/answer';
import type { ConfirmationSettings } from '../../domain/confirmation-settings';
import type { TokenView, TransactionView } from '../../domain/views';
import { answerConfirmation, requestConfirmation } from '../../workflows/contract';
import { digestValue } from '../../platform/codes';
import { Problem } from '../http/problem';
import { proposalOf } from './proposal';
import { proposedIds } from '../temporal/proposed-ids';
import type { Handler } from '../http/route';
import { orProblem, sourceHeaders } from '../temporal/or-problem';
import { refusedAnswer } from './token-answer';

/** POST of a flow's path: asks the person, or asks again. */
export function askFor(flow: ConfirmationSettings): Handler {
  return async ({ parts, tenant, id, idempotencyKey }) => {
    const proposal = proposalOf(
      parts,
      flow,
      id,
      proposedIds(parts.keys, { tenant, id }, idempotencyKey)(`confirmation ${flow.name}`),
    );
    const asking = parts.transactions.send({ tenant, id }, requestConfirmation, {
      input: proposal,
      identity: [flow.name],
      idempotencyKey,
    });
    const view = await orProblem(asking, flow.channel);
    return { status: 201, body: flow.kind === 'token' ? shownToken(flow, view as TokenView) : view };
  };
}

/** SPEC endpoints 7 and 8 leave the expiry out; 10 has it, in another order. */
function shownToken(
  flow: ConfirmationSettings,
  {
    status,
    type,
    createdAt,
    expirationTime,
  }: Pick<TokenAnswer | TokenView, 'status' | 'type' | 'createdAt' | 'expirationTime'>,
) {
  return flow.channel === 'email' ? { status, type, createdAt, expirationTime } : { status, createdAt, type };
}

/** POST …/validate: 200 whenever there is a token; `status` tells the truth. */
export function validateToken(flow: ConfirmationSettings): Handler<{ value: string }> {
  return async ({ parts, tenant, id, body, idempotencyKey }) => {
    const digest = digestValue(parts.keys, id, flow.name, body.value);
    const trying = parts.transactions.send({ tenant, id }, answerConfirmation, {
      input: { flow: flow.name, digest },
      identity: [flow.name, digest],
      idempotencyKey,
    });
    const answer = await orProblem(trying.catch(refusedAnswer), flow.channel);
    const left = answer.attemptsRemaining;
    const headers = left === undefined ? {} : { 'X-Attempts-Remaining': String(left) };
    return { status: 200, headers, body: shownToken(flow, answer) };
  };
}

/** GET of the records that a confirmation leaves behind. */
export function readMessages(list: 'smsMessages' | 'emailMessages'): Handler {
  return readPart((view) => view[list]);
}

/** 204 when no second factor was ever asked for on WhatsApp. */
export const readWhatsapp: Handler = readPart((view) => view.whatsappMessages);

export const readEmailToken: Handler = readPart(({ emailToken }) => {
  if (!emailToken) throw new Problem('token_not_found');
  const { status, type, createdAt, repliedAt, expirationTime } = emailToken;
  return { status, type, createdAt, ...(repliedAt ? { repliedAt } : {}), expirationTime };
});

function readPart(part: (view: TransactionView) => unknown): Handler {
  return async ({ parts, tenant, id }) => {
    const { view, source } = await parts.transactions.read({ tenant, id });
    const body = part(view);
    const headers = sourceHeaders(source);
    return body === undefined ? { status: 204, headers } : { status: 200, headers, body };
  };
}
