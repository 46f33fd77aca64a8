import type { CodeResult } from '../../domain/confirmation/check-code';
import type { ConfirmationSettings } from '../../domain/confirmation/settings';
import type { TokenView, TransactionView } from '../../domain/transaction/views';
import { checkConfirmationCode, requestConfirmation } from '../../workflows/contract';
import { digestTypedCode } from '../../messages/codes';
import { requesterOf } from '../http/caller-site';
import { Problem } from '../http/problem';
import { confirmationProposalOf } from './proposal';
import { createIdProposer } from '../temporal/proposed-ids';
import type { Handler, Parameter } from '../http/route';
import { readHeaders } from '../temporal/transactions';
import { throwAsProblem } from '../temporal/throw-as-problem';
import { toResultWithoutAttempt } from '../temporal/code-result';

const returnUrlHeader = 'X-Countersign-Return-Url';

/**
 * The header with the return URL. The link in an e-mail opens a hosted page, and this page sends the person back to the return URL. The
 * return URL is not a field of the body, because these requests have no body in SPEC.
 */
export const returnUrlParameter: Parameter = {
  name: returnUrlHeader,
  in: 'header',
  description:
    'The URL to which the page sends the person back. It must begin with an allowed return URL of the client',
  schema: { type: 'string' },
};

/** Creates the handler of POST …/sms/tokens and similar paths. It sends or resends a token or second factor. */
export function sendConfirmation(settings: ConfirmationSettings): Handler {
  return async ({ dependencies, tenant, clientId, id, idempotencyKey, request }) => {
    const returnUrl = settings.channel === 'email' ? request.get(returnUrlHeader) : undefined;
    const requester = await requesterOf(dependencies, clientId, returnUrl, returnUrlHeader);
    const proposal = confirmationProposalOf(
      dependencies,
      settings,
      id,
      createIdProposer(dependencies.keys, { tenant, id }, idempotencyKey)(`confirmation ${settings.name}`),
    );
    const pendingView = dependencies.transactions.send({ tenant, id }, requestConfirmation, {
      input: requester.returnUrl === undefined ? proposal : { ...proposal, requester },
      identity: [settings.name, requester.returnUrl],
      idempotencyKey,
    });
    const view = await throwAsProblem(pendingView, settings.channel);
    return { status: 201, body: settings.kind === 'token' ? tokenBody(settings, view as TokenView) : view };
  };
}

/** Returns the fields of a token in the order of SPEC. In SPEC, a token by SMS has no `expirationTime`. */
function tokenBody(
  settings: ConfirmationSettings,
  {
    status,
    type,
    createdAt,
    expirationTime,
  }: Pick<CodeResult | TokenView, 'status' | 'type' | 'createdAt' | 'expirationTime'>,
) {
  return settings.channel === 'email' ? { status, type, createdAt, expirationTime } : { status, createdAt, type };
}

/** Creates the handler of POST …/validate. The answer to an invalid code is also 200: `status` is the result. */
export function validateToken(settings: ConfirmationSettings): Handler<{ value: string }> {
  return async ({ dependencies, tenant, id, body, idempotencyKey }) => {
    const digest = digestTypedCode(dependencies.keys, id, settings.name, body.value);
    const pendingAnswer = dependencies.transactions.send({ tenant, id }, checkConfirmationCode, {
      input: { name: settings.name, digest, digits: body.value.length },
      identity: [settings.name, digest],
      idempotencyKey,
    });
    const answer = await throwAsProblem(pendingAnswer.catch(toResultWithoutAttempt), settings.channel);
    const attemptsRemaining = answer.attemptsRemaining;
    const headers = attemptsRemaining === undefined ? {} : { 'X-Attempts-Remaining': String(attemptsRemaining) };
    return { status: 200, headers, body: tokenBody(settings, answer) };
  };
}

/** GET …/sms/2fa and …/emails/2fa: each status that a second factor had, newest first. */
export function readMessages(field: 'smsMessages' | 'emailMessages'): Handler {
  return readField((view) => view[field]);
}

/** GET …/whatsapps/2fa: 204 if no second factor was requested on WhatsApp. */
export const readWhatsapp: Handler = readField((view) => view.whatsappMessages);

/** GET …/emails/tokens: the newest e-mail token. Throws token_not_found. */
export const readEmailToken: Handler = readField(({ emailToken }) => {
  if (!emailToken) throw new Problem('token_not_found');
  const { status, type, createdAt, repliedAt, expirationTime } = emailToken;
  return { status, type, createdAt, ...(repliedAt ? { repliedAt } : {}), expirationTime };
});

/** Creates a handler that returns one field of the view. If the field is undefined, the handler answers 204. */
function readField(fieldOf: (view: TransactionView) => unknown): Handler {
  return async ({ dependencies, tenant, id }) => {
    const read = await dependencies.transactions.read({ tenant, id });
    const body = fieldOf(read.view);
    const headers = readHeaders(read);
    return body === undefined ? { status: 204, headers } : { status: 200, headers, body };
  };
}
