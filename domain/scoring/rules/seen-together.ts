import type { Rule } from '../rule';
import { pairIn } from './pair-in';

/**
 * Looks at the other dates on which the document was seen with a value: each halves the doubt that is left. Times on
 * one date count once, and those of the own date not at all: whoever repeats a request earns no trust by it.
 */
export function seenTogether(other: 'Phone' | 'Email'): Rule['evaluate'] {
  return ({ evidence: { links } }) => {
    const link = pairIn(links, other);
    return link && { strength: 1 - 0.5 ** link.dates, details: { dates: link.dates, times: link.times } };
  };
}
