import type { TokenAnswer } from '../../domain/token-answer';
import type { ConfirmationSettings } from '../../domain/confirmation-settings';
import type { TokenView, TransactionView } from '../../domain/views';
import { answerConfirmation, requestConfirmation } from '../../workflows/contract';
import { digestValue } from '../../platform/codes';
import { Problem } from '../http/problem';
import { proposalOf } from './proposal';
import { proposedIds } from '../temporal/proposed-ids';
import type { Handler } from '../http/route';
import { withProblem, sourceHeaders } from '../temporal/with-problem';
import { answerOfClosedToken } from './token-answer';

/** POST of a flow's path: asks the person, or asks again. */
export function sendConfirmation(settings: ConfirmationSettings): Handler {
  return async ({ dependencies, tenant, id, idempotencyKey }) => {
    const proposal = proposalOf(
      dependencies,
      settings,
      id,
      proposedIds(dependencies.keys, { tenant, id }, idempotencyKey)(`confirmation ${settings.name}`),
    );
    const asking = dependencies.transactions.send({ tenant, id }, requestConfirmation, {
      input: proposal,
      identity: [settings.name],
      idempotencyKey,
    });
    const view = await withProblem(asking, settings.channel);
    return { status: 201, body: settings.kind === 'token' ? tokenBody(settings, view as TokenView) : view };
  };
}

/** SPEC endpoints 7 and 8 leave the expiry out; 10 has it, in another order. */
function tokenBody(
  settings: ConfirmationSettings,
  {
    status,
    type,
    createdAt,
    expirationTime,
  }: Pick<TokenAnswer | TokenView, 'status' | 'type' | 'createdAt' | 'expirationTime'>,
) {
  return settings.channel === 'email' ? { status, type, createdAt, expirationTime } : { status, createdAt, type };
}

/** POST …/validate: 200 whenever there is a token; `status` tells the truth. */
export function validateToken(settings: ConfirmationSettings): Handler<{ value: string }> {
  return async ({ dependencies, tenant, id, body, idempotencyKey }) => {
    const digest = digestValue(dependencies.keys, id, settings.name, body.value);
    const trying = dependencies.transactions.send({ tenant, id }, answerConfirmation, {
      input: { flow: settings.name, digest },
      identity: [settings.name, digest],
      idempotencyKey,
    });
    const answer = await withProblem(trying.catch(answerOfClosedToken), settings.channel);
    const left = answer.attemptsRemaining;
    const headers = left === undefined ? {} : { 'X-Attempts-Remaining': String(left) };
    return { status: 200, headers, body: tokenBody(settings, answer) };
  };
}

/** GET of the records that a confirmation leaves behind. */
export function readMessages(list: 'smsMessages' | 'emailMessages'): Handler {
  return readField((view) => view[list]);
}

/** 204 when no second factor was ever asked for on WhatsApp. */
export const readWhatsapp: Handler = readField((view) => view.whatsappMessages);

export const readEmailToken: Handler = readField(({ emailToken }) => {
  if (!emailToken) throw new Problem('token_not_found');
  const { status, type, createdAt, repliedAt, expirationTime } = emailToken;
  return { status, type, createdAt, ...(repliedAt ? { repliedAt } : {}), expirationTime };
});

function readField(part: (view: TransactionView) => unknown): Handler {
  return async ({ dependencies, tenant, id }) => {
    const { view, source } = await dependencies.transactions.read({ tenant, id });
    const body = part(view);
    const headers = sourceHeaders(source);
    return body === undefined ? { status: 204, headers } : { status: 200, headers, body };
  };
}
