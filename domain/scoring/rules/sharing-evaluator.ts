import type { Links } from '../evidence';
import type { Rule } from '../rule';

/**
 * A rule that holds if several documents within `sharedWithinDays` days were used with the same value. The strength is 0.5 at the threshold
 * `sharedByDocuments`, because families share values too. With more documents, the strength approaches 1.
 */
export function sharingEvaluator(kind: Exclude<keyof Links['countsByKind'], 'Document'>): Rule['evaluate'] {
  return ({ evidence: { links }, thresholds: { sharedByDocuments, sharedWithinDays } }) => {
    const documents = links?.countsByKind[kind]?.documents;
    if (documents === undefined) return undefined;
    const strength = documents >= sharedByDocuments ? 1 - (0.5 * sharedByDocuments) / documents : 0;
    return { strength, details: { documents, withinDays: sharedWithinDays } };
  };
}
