import type { Rule } from '../rule';
import { documentLinkOf } from './document-link-of';

/**
 * A rule about the number of other dates on which the document was seen with the same phone or e-mail address. The strength is 0 without
 * such a date, 0.5 with one date, 0.75 with two dates, and so on. A date counts only once, and the date of this transaction does not count.
 * So repeated requests on one day earn no trust.
 */
export function seenTogetherEvaluator(other: 'Phone' | 'Email'): Rule['evaluate'] {
  return ({ evidence: { links } }) => {
    const link = documentLinkOf(links, other);
    return link && { strength: 1 - 0.5 ** link.dates, details: { dates: link.dates, times: link.times } };
  };
}
