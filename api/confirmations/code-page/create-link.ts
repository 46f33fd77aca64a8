import { isOpen } from '../../../domain/confirmation/confirmation';
import type { ConfirmationSettings } from '../../../domain/confirmation/settings';
import { currentConfirmation } from '../../../domain/transaction/state';
import { codePagePath } from '../../../messages/links';
import { requesterOf } from '../../http/caller-site';
import { Problem } from '../../http/problem';
import type { Handler } from '../../http/route';
import type { LinkBody } from './link-body';

/**
 * Creates the handler of POST …/tokens/link. The handler returns the URL of a page on which the person enters the code, and changes
 * nothing.
 */
export function createCodePageLink({ name }: ConfirmationSettings): Handler<LinkBody> {
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
