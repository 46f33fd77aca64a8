import type { Links, PairLink } from '../evidence';

type LinkCounts = Pick<PairLink, 'times' | 'dates' | 'confirmed'>;

const zeroCounts: LinkCounts = { times: 0, dates: 0, confirmed: 0 };

/** How often the document occurs with the phone or e-mail address. Undefined if one of the two is missing, or there is no link graph. */
export function documentLinkOf(links: Links | undefined, kind: 'Phone' | 'Email'): LinkCounts | undefined {
  const link = links?.pairs.find(({ pair }) => pair.includes('Document') && pair.includes(kind));
  if (link) return link;
  return links?.countsByKind.Document && links.countsByKind[kind] ? zeroCounts : undefined;
}
