import { expireLink } from '../../domain/biometrics/link';
import { Problem } from '../http/problem';
import type { FoundLink, Reader } from './reader';
import type { OpenedLink, Transactions } from './transactions';

const unavailable = () => {
  throw new Problem('service_unavailable');
};

/** A link as it is now: one whose time is over reads as over, whether or not its timer has fired. */
function opened(found: FoundLink | undefined): OpenedLink | undefined {
  if (!found) return undefined;
  const state = expireLink(found.state, new Date().toISOString());
  const biometrics = state.biometrics?.find(({ id }) => id === found.biometricsId);
  return biometrics && { state, biometrics };
}

/** Biometrics links by what they are known by: their token, or their place among the reviews of a tenant. */
export function readLinks(reader: Reader): Pick<Transactions, 'readLink' | 'listReviews' | 'readReview'> {
  return {
    readLink: async (tokenHash) => opened(await reader.link({ tokenHash }).catch(unavailable)),
    listReviews: (tenant, page) => reader.reviews(tenant, page).catch(unavailable),
    readReview: async (tenant, id) => opened(await reader.link({ tenant, id }).catch(unavailable)),
  };
}
