import { expireLink } from '../../domain/biometrics/link';
import { asService } from '../../platform/tenant-scope';
import { Problem } from '../http/problem';
import { isErased, outageOrErasureToProblem } from './deadline';
import type { LinkWithState, RecordReader } from './record-reader';
import type { LinkOfTransaction, Transactions } from './transactions';

/**
 * Throws the problem for an error of a search. The transaction may be erased after its row is read and before its key is read. Then the
 * problem is service_unavailable and not erased, so that the caller repeats the request. The repeated request finds no link.
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

/** Creates the methods that find biometrics links by the hash of their token, or as reviews of a tenant. */
export function createLinkReader(reader: RecordReader): Pick<Transactions, 'readLink' | 'listReviews' | 'readReview'> {
  return {
    // The tenant is not known before the row of the link is read.
    readLink: async (tokenHash) =>
      linkAsOfNow(await asService(() => reader.findLink({ tokenHash })).catch(throwAsProblem)),
    listReviews: (tenant, page) => reader.findReviews(tenant, page).catch(throwAsProblem),
    readReview: async (tenant, id) => linkAsOfNow(await reader.findLink({ tenant, id }).catch(throwAsProblem)),
  };
}
