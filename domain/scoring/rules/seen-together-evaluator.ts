import type { Rule } from '../rule';
import { documentLinkOf } from './document-link-of';

/**
 * Counts the other dates on which the document was seen with a value. Each date halves the remaining doubt. A date counts once, and
 * the date of this transaction does not count, so repeated requests earn no trust.
 */
export function seenTogetherEvaluator(other: 'Phone' | 'Email'): Rule['evaluate'] {
  return ({ evidence: { links } }) => {
    const link = documentLinkOf(links, other);
    return link && { strength: 1 - 0.5 ** link.dates, details: { dates: link.dates, times: link.times } };
  };
}
