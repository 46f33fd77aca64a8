import type { Links, PairLink } from '../evidence';

type Told = Pick<PairLink, 'times' | 'dates' | 'confirmed'>;

const never: Told = { times: 0, dates: 0, confirmed: 0 };

/** The link of the document with another value. Undefined when the transaction lacks one of them, or there is no graph. */
export function pairIn(links: Links | undefined, other: 'Phone' | 'Email'): Told | undefined {
  const link = links?.pairs.find(({ pair }) => pair.includes('Document') && pair.includes(other));
  if (link) return link;
  return links?.spread.Document && links.spread[other] ? never : undefined;
}
