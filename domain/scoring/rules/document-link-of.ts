import type { Links, PairLink } from '../evidence';

type LinkCounts = Pick<PairLink, 'times' | 'dates' | 'confirmed'>;

const zeroCounts: LinkCounts = { times: 0, dates: 0, confirmed: 0 };

/** The link of the document with another value. Undefined when the transaction lacks one of them, or there is no graph. */
export function documentLinkOf(links: Links | undefined, kind: 'Phone' | 'Email'): LinkCounts | undefined {
  const link = links?.pairs.find(({ pair }) => pair.includes('Document') && pair.includes(kind));
  if (link) return link;
  return links?.countsByKind.Document && links.countsByKind[kind] ? zeroCounts : undefined;
}
