import { isOpen } from '../../domain/confirmations/confirmation';
import type { ConfirmationSettings } from '../../domain/confirmations/settings';
import { currentConfirmation } from '../../domain/transactions/state';
import { codePagePath } from '../../messages/links';
import { requesterOf } from '../http/caller-site';
import { Problem } from '../http/problem';
import { type ApiRoute, type Handler, transactionPath as transaction, withBody } from '../http/route';
import { z } from 'zod';
import { returnUrl } from '../http/body/fields';
import { named, sensitive, utcTime } from '../http/openapi/schema-of';
import { namesOf } from '../confirmations/send-confirmation';
import { expirationTime } from '../confirmations/responses';

/**
 * Creates the handler of POST …/tokens/link. The handler returns the URL of a page on which the person enters the code, and changes
 * nothing.
 */
export function createCodePageLink({
  name,
}: ConfirmationSettings): Handler<'clientAddresses' | 'config' | 'keys' | 'transactions', LinkBody> {
  return async ({ dependencies, tenant, clientId, id, body }) => {
    const requester = await requesterOf(dependencies, clientId, body.returnUrl);
    const state = await dependencies.transactions.readState({ tenant, id });
    const token = currentConfirmation(state, name);
    // After a denial, only a code of a flow that continues is open. Every other link would ask the person for nothing.
    if (state.facts.deniedAt !== undefined && !(token && isOpen(token))) throw new Problem('transaction_denied');
    if (!token) throw new Problem('token_not_found');
    const path = codePagePath(dependencies.keys, { tenant, transactionId: id, confirmationId: token.id, requester });
    const url = new URL(path, dependencies.config.PUBLIC_URL).href;
    return { status: 201, body: { url, expirationTime: token.expiresAt } };
  };
}

/** The body of POST …/tokens/link. */
export const linkBody = named('CodePageRequest', z.strictObject({ returnUrl }, 'must be an object')).default({});

export type LinkBody = z.output<typeof linkBody>;

export const linkRoute = (settings: ConfirmationSettings): ApiRoute =>
  withBody({
    operationId: `create${namesOf(settings).operation}Link`,
    method: 'post',
    path: `${transaction}/${settings.path}/link`,
    scope: 'confirmation:validate',
    summary: `Create a link to a hosted page on which the person enters the code of the newest ${namesOf(settings).text}`,
    body: () => linkBody,
    example: {},
    responses: { 201: codePageLink },
    problems: ['token_not_found', 'transaction_denied', 'return_url_not_allowed'],
    handler: createCodePageLink(settings),
  });

/** The response of POST …/tokens/link. */
export const codePageLink = named(
  'CodePageLink',
  z.strictObject({ url: sensitive(z.url(), 'confirmation:validate'), expirationTime: utcTime }),
  { url: 'https://verify.example.com/code/c2lnbmVkLXRva2Vu', expirationTime },
);
