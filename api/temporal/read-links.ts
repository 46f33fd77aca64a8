import { expireLink } from '../../domain/biometrics/link';
import { asService } from '../../platform/postgres/tenant-scope';
import { Problem } from '../http/problem';
import { isErased, outageOrErasureToProblem } from './deadline';
import type { LinkWithState, Records } from './records';
import type { LinkOfTransaction, Transactions } from './transactions';

/**
 * Throws the problem for an error of a search. If the transaction is erased between the read of its row and the read of its key, the
 * problem is `service_unavailable` instead of `erased`. The caller then repeats the request, and the repeated request finds no link.
 */
const throwAsProblem = (error: unknown): never => {
  throw isErased(error) ? new Problem('service_unavailable') : outageOrErasureToProblem(error);
};

/** Returns the link as it is now. A link whose time is over is expired, even if its timer in the workflow has not fired yet. */
function linkAsOfNow(foundLink: LinkWithState | undefined): LinkOfTransaction | undefined {
  if (!foundLink) return undefined;
  const state = expireLink(foundLink.state, new Date().toISOString());
  const biometrics = state.biometrics?.find(({ id }) => id === foundLink.biometricsId);
  return biometrics && { state, biometrics };
}

/** Creates the methods that find biometrics links: by the hash of the token in their URL, or as reviews of a tenant. */
export function createLinkReader(records: Records): Pick<Transactions, 'readLink' | 'listReviews' | 'readReview'> {
  return {
    // Searches the links of all tenants (`asService`), because only the row of the link says to which tenant the link belongs.
    readLink: async (tokenHash) =>
      linkAsOfNow(await asService(() => records.findLink({ tokenHash })).catch(throwAsProblem)),
    listReviews: (tenant, page) => records.findReviews(tenant, page).catch(throwAsProblem),
    readReview: async (tenant, id) => linkAsOfNow(await records.findLink({ tenant, id }).catch(throwAsProblem)),
  };
}
