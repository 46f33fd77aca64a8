import { expireLink } from '../../domain/biometrics/link';
import { Problem } from '../http/problem';
import type { FoundLink, Reader } from './reader';
import type { OpenedLink, Transactions } from './transactions';

const unavailable = () => {
  throw new Problem('service_unavailable');
};

/** The link as it is now: it is expired at its time, even if its timer has not fired yet. */
function current(found: FoundLink | undefined): OpenedLink | undefined {
  if (!found) return undefined;
  const state = expireLink(found.state, new Date().toISOString());
  const biometrics = state.biometrics?.find(({ id }) => id === found.biometricsId);
  return biometrics && { state, biometrics };
}

/** Finds biometrics links by their token, or as reviews of a tenant. */
export function readLinks(reader: Reader): Pick<Transactions, 'readLink' | 'listReviews' | 'readReview'> {
  return {
    readLink: async (tokenHash) => current(await reader.link({ tokenHash }).catch(unavailable)),
    listReviews: (tenant, page) => reader.reviews(tenant, page).catch(unavailable),
    readReview: async (tenant, id) => current(await reader.link({ tenant, id }).catch(unavailable)),
  };
}
